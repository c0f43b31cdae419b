import { writeFileSync } from "node:fs";
import path from "node:path";

import { Namespace, Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { createClient, createRestClient, exec, type LiveClient } from "@kubescaffold/runtime";
import { expect, it } from "vitest";

import { readSource } from "../architecture/source-files.ts";
import { configOf, DevProcess, kubeconfigOf } from "../e2e/dev-process.ts";
import { eventually } from "../e2e/eventually.ts";
import type { PackedProject } from "./packed-project.ts";

const CONTROLLER = "internal/controller/memcached_controller.ts";

/** Tests what users see while `scaffold dev` runs their operator. */
export function testDevelopment(projectOf: () => PackedProject): void {
  it("scaffold dev names what simulated Pods lack, and prints the marker of a missing permission", async () => {
    const project = projectOf();
    const dev = startDev(project);
    try {
      await dev.waitForManager();
      const client = createClient(await configOf(project.root));
      const sample = readYaml(project.read("config/samples/cache_v1alpha1_memcached.yaml")) as KubernetesObject;
      await client.create({ ...sample, metadata: { ...sample.metadata, namespace: "default" } });
      // Stumbling block 6.
      await expect(runCommand(client, project)).rejects.toThrow(
        /its image memcached:1\.6 has no definition; define its behavior with images\.define/u,
      );
      const text = project.read(CONTROLLER);
      writeFileSync(path.join(project.root, CONTROLLER), text.replace(/(?<=resources=deployments,verbs=).*/u, "get"));
      await dev.waitFor(/\+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch/u);
      writeFileSync(path.join(project.root, CONTROLLER), text);
      // Without the permission, the second manager has started no workers.
      await dev.waitFor(/starting workers/u, 2);
    } finally {
      await dev.end();
    }
    await project.succeed("npx scaffold manifests");
  });

  it("an operator of ten lines runs against the development server", async () => {
    const project = projectOf();
    const [, code = ""] = /```ts\n([\s\S]*?)```/u.exec(readSource("docs/start/hello-operator.md")) ?? [];
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(10);
    const dev = startDev(project);
    try {
      await dev.waitForManager();
      writeFileSync(path.join(project.root, "hello.ts"), code);
      const flags = `--kubeconfig=${kubeconfigOf(project.root)} --health-probe-bind-address=0`;
      const untilShown = "for _ in $(seq 1200); do grep -q kube-root-ca.crt hello.log && break; sleep 0.1; done";
      const line = `node_modules/.bin/tsx hello.ts ${flags} >hello.log 2>&1 & ${untilShown}; kill -TERM $!; cat hello.log`;
      expect(await project.succeed(line)).toContain("kube-root-ca.crt");
    } finally {
      await dev.end();
    }
    await project.succeed("rm hello.ts hello.log");
  });
}

/** Tests that the manager of a namespaced project watches the namespace of `--namespace`. */
export function testNamespaces(create: () => PackedProject): void {
  it("scaffold dev --namespace runs it in that namespace, and shows it no other", async () => {
    const project = create();
    await project.succeed("npx kubescaffold init --domain demo --namespaced --skip-install");
    await project.succeed(
      "npx scaffold create api --group cache --version v1 --kind Memcached --resource --controller",
    );
    const dev = startDev(project, ["--namespace", "team", "--output", "json"]);
    try {
      await dev.waitFor(/"event":"manager-ready"/u);
      const client = createClient(await configOf(project.root));
      await client.create(Namespace.create({ metadata: { name: "other" } }));
      for (const namespace of ["other", "team"]) await client.create(memcached(namespace));
      await dev.waitFor(/"message":"Reconciling"[^\n]*"object":"team\/sample"/u);
      expect(dev.output).not.toContain("other/sample");
      expect(dev.output).not.toContain("is forbidden");
    } finally {
      await dev.end();
    }
    const { status, output } = await project.run("npx scaffold dev --namespace Team");
    expect(status).toBe(1);
    expect(output).toContain("cannot use --namespace Team: it is not a DNS label [CLI_INVALID_FLAG]");
  });
}

function startDev(project: PackedProject, args: readonly string[] = []): DevProcess {
  return new DevProcess(project.root, args, path.join(project.root, "node_modules/kubescaffold/dist/scaffold.cjs"));
}

async function runCommand(client: LiveClient, { root }: PackedProject): Promise<void> {
  const pod = await eventually(
    async () =>
      (await client.list(Pod, { namespace: "default" })).items.find(({ status }) => status?.phase === "Running"),
    () => "a running Pod",
  );
  const rest = createRestClient(await configOf(root));
  try {
    await exec(rest, { namespace: "default", name: pod.metadata.name }, { command: ["echo", "hello"] }).stream({});
  } finally {
    await rest.close();
  }
}

function memcached(namespace: string): KubernetesObject {
  return {
    apiVersion: "cache.demo/v1",
    kind: "Memcached",
    metadata: { name: "sample", namespace },
    spec: {},
  } as KubernetesObject;
}

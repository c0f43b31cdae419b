import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ExampleName } from "../e2e/project-copy.ts";
import { exampleProject } from "./example-project.ts";
import { readyManagers } from "./manager-pods.ts";
import { CLUSTER, kubectl, nodeCluster, type NodeProject, tryKubectl } from "./node-project.ts";

const LIVENESS_MS = 400_000;

describe.skipIf(CLUSTER === undefined)("other examples on a real node", { timeout: LIVENESS_MS }, () => {
  let project: NodeProject | undefined;
  let client: LiveClient;

  beforeAll(() => {
    client = createClient(nodeCluster().config);
  });

  afterEach(async () => {
    await project?.scaffold("undeploy --delete-crds");
    project?.remove();
  }, LIVENESS_MS);

  async function deploy(name: ExampleName): Promise<NodeProject> {
    const image = `example.com/${name}:v1`;
    project = await exampleProject(name, image);
    await project.scaffold(`deploy --image ${image}`);
    await readyManagers(client, `${name}-system`, 1);
    return project;
  }

  it("runs memcached, which scales and ends with its object", async () => {
    const { root } = await deploy("memcached");
    await kubectl("apply", "--kustomize", `${root}/config/samples`);
    await kubectl("wait", "--for=condition=Available", "memcached/memcached-sample", "--timeout=120s");
    await kubectl("scale", "memcached/memcached-sample", "--replicas=2");
    await kubectl(
      "wait",
      "--for=jsonpath={.status.availableReplicas}=2",
      "deployment/memcached-sample",
      "--timeout=120s",
    );
    const { spec } = await client.get(Deployment, { namespace: "default", name: "memcached-sample" });
    expect(spec?.template.spec?.containers[0]?.command).toEqual(["memcached", "-m=64", "-o", "modern", "-v"]);
    await kubectl("delete", "memcached/memcached-sample");
    await kubectl("wait", "--for=delete", "deployment/memcached-sample", "--timeout=120s");
  });

  it("converts between the versions of multiversion, whose Pods run", async () => {
    const { root } = await deploy("multiversion");
    expect(await kubectl("apply", "--kustomize", `${root}/config/samples`)).toContain("v1alpha1 Relay is deprecated");
    await kubectl("wait", "--for=condition=Available", "relays", "--all", "--timeout=120s");
    const specs = async (version: string): Promise<readonly string[]> => {
      const path = 'jsonpath={range .items[*]}{.spec}{"\\n"}{end}';
      return (await kubectl("get", `relays.${version}.network.demo`, "--output", path)).trim().split("\n");
    };
    const [newest, oldest] = [await specs("v1"), await specs("v1alpha1")].map((lines) =>
      lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as unknown),
    );
    expect(newest).toContainEqual({ target: { host: "db.example.com", port: 5432 }, replicas: 2, listenPort: 5432 });
    expect(oldest).toContainEqual({ target: "mail.example.com:25", size: 2 });
    const refused = await tryKubectl(
      "patch",
      "relays.v1alpha1.network.demo/relay-sample-v1alpha1",
      "--type=merge",
      `--patch=${JSON.stringify({ spec: { target: "db:99999" } })}`,
    );
    expect(refused).toMatchObject({
      status: 1,
      output: expect.stringContaining("the port must be between 1 and 65535"),
    });
    await kubectl("delete", "relays", "--all");
  });
});

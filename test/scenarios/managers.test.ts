import { symlinkSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { Role, RoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { type Client, createClient } from "@kubescaffold/runtime";
import { afterEach, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";
import { ManagerProcess, type ManagerOptions } from "./manager-process.ts";

const LIVENESS_MS = 300_000;

const started: { stop(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const each of started.splice(0).toReversed()) await each.stop();
}, LIVENESS_MS);

// A project whose manager can run here.
async function projectOf(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, ...lines, "manifests", "generate");
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
  return root;
}

interface Server {
  readonly environment: Environment;
  readonly client: Client;
}

async function serverFor(root: string): Promise<Server> {
  const environment = new Environment({ crdDirectoryPaths: [path.join(root, "config", "crd", "bases")] });
  started.push(environment);
  return { environment, client: createClient(await environment.start()) };
}

// As an administrator, unless a config says as whom.
async function run(
  root: string,
  {
    environment,
    config,
    ...options
  }: Omit<ManagerOptions, "kubeconfig"> & {
    readonly environment: Environment;
    readonly config?: RestConfig;
  },
): Promise<ManagerProcess> {
  const kubeconfig = path.join(root, "manager.kubeconfig");
  await environment.writeKubeconfig(kubeconfig, config);
  const manager = new ManagerProcess(root, { ...options, kubeconfig });
  started.push(manager);
  return manager;
}

function guestbook(group: string, key: { readonly name: string; readonly namespace: string }): KubernetesObject {
  return { apiVersion: `${group}/v1`, kind: "Guestbook", metadata: key, spec: {} } as KubernetesObject;
}

describe("scenario 8: a manager that is scoped to two of three namespaces", { timeout: LIVENESS_MS }, () => {
  it("reconciles what is in them with roles in them alone, and never sees the third", async () => {
    const root = await projectOf(`${INIT} --namespaced`, CREATE_API);
    const { environment, client } = await serverFor(root);
    for (const name of ["red", "green", "blue"]) await client.create(Namespace.create({ metadata: { name } }));
    const account = { namespace: "red", name: "manager" };
    const config = await environment.addServiceAccount(account);
    const file = "config/rbac/role.yaml";
    const [role] = readYamlDocuments(readFiles(root)[file] ?? "", { file }) as readonly Role[];
    for (const namespace of ["red", "green"]) {
      const metadata = { name: "manager-role", namespace };
      await client.create(Role.create({ metadata, rules: role?.rules ?? [] }));
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name };
      await client.create(
        RoleBinding.create({ metadata, roleRef, subjects: [{ kind: "ServiceAccount", ...account }] }),
      );
    }
    await client.create(guestbook("webapp.demo", { name: "unseen", namespace: "blue" }));
    const manager = await run(root, { environment, config, env: { WATCH_NAMESPACE: "red, green" } });
    for (const namespace of ["red", "green"]) {
      await client.create(guestbook("webapp.demo", { name: `in-${namespace}`, namespace }));
      await manager.waitFor(new RegExp(`Reconciling.*in-${namespace}`, "u"));
    }
    expect(manager.output).not.toContain("unseen");
    expect(manager.output).not.toContain("forbidden");
    expect(await manager.stop()).toBe(0);
  });

  it("says what it may not do when it is to watch the third as well", async () => {
    const root = await projectOf(`${INIT} --namespaced`, CREATE_API);
    const { environment, client } = await serverFor(root);
    await client.create(Namespace.create({ metadata: { name: "blue" } }));
    const config = await environment.addServiceAccount({ namespace: "blue", name: "manager" });
    const manager = await run(root, { environment, config, env: { WATCH_NAMESPACE: "blue" } });
    await manager.waitFor(/cannot list resource \W*guestbooks.* in the namespace \W*blue/u);
    expect(await manager.stop()).toBe(0);
  });
});

describe("scenario 17: kinds of one name in two groups", { timeout: LIVENESS_MS }, () => {
  it("have a controller each in one manager, which reconciles its own objects", async () => {
    const second = CREATE_API.replace("--group webapp", "--group sea-creatures.fish");
    const root = await projectOf(`${INIT} --multigroup`, CREATE_API, second);
    const { environment, client } = await serverFor(root);
    const manager = await run(root, { environment });
    const groups = ["webapp.demo", "sea-creatures.fish.demo"];
    for (const group of groups) {
      const name = `of-${group.split(".")[0] ?? ""}`;
      await client.create(guestbook(group, { name, namespace: "default" }));
      await manager.waitFor(new RegExp(`Reconciling.*${name}`, "u"));
    }
    const controllers = [...manager.output.matchAll(/"?starting workers"?.*?controller"?[=:] ?"?(?<name>[\w.-]+)/giu)];
    expect(new Set(controllers.map(({ groups: found }) => found?.["name"])).size).toBe(2);
    expect(await manager.stop()).toBe(0);
  });
});

describe("scenario 28: a manager without its webhooks", { timeout: LIVENESS_MS }, () => {
  it("needs no certificate with ENABLE_WEBHOOKS=false, and reconciles anyway", async () => {
    const root = await projectOf(INIT, CREATE_API, CREATE_WEBHOOK);
    const { environment, client } = await serverFor(root);
    const manager = await run(root, { environment, env: { ENABLE_WEBHOOKS: "false" } });
    await client.create(guestbook("webapp.demo", { name: "local", namespace: "default" }));
    await manager.waitFor(/Reconciling.*local/u);
    expect(manager.output).not.toMatch(/registering webhook|serving webhook server/u);
    expect(await manager.stop()).toBe(0);
  });

  it("says which certificate is missing without the variable", async () => {
    const root = await projectOf(INIT, CREATE_API, CREATE_WEBHOOK);
    const { environment } = await serverFor(root);
    const folder = path.join(root, "no-certificates");
    const manager = await run(root, { environment, args: [`--webhook-cert-path=${folder}`, "--webhook-port=0"] });
    await expect(manager.waitFor(/never written/u)).rejects.toThrow(
      /WebhookCertificateError|no-certificates.tls\.crt/u,
    );
    expect(await manager.stop()).toBe(1);
  });
});

import { kubeconfigOf } from "@kubescaffold/envtest";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { newMultiClusterControllerManagedBy } from "../../src/multi-cluster/multi-cluster-builder.ts";
import { createSecretProvider } from "../../src/multi-cluster/secret-provider.ts";
import { createConfigMap, type Running, type Server, Servers } from "./servers.ts";

const LABEL = "sigs.k8s.io/multicluster-runtime-kubeconfig";
const servers = new Servers();
let hub: Server;
let one: Server;
let kubeconfig: string;
let running: Running;
const reconciled: string[] = [];

beforeAll(async () => {
  [hub, one] = await Promise.all([servers.start(), servers.start()]);
  kubeconfig = kubeconfigOf(await one.environment.listen());
  running = await servers.manager(hub, { providers: [createSecretProvider({ namespace: "default" })] });
  await newMultiClusterControllerManagedBy(running.clusters)
    .for(ConfigMap)
    .named("secret-provider")
    .complete(async ({ clusterName, name }) => void reconciled.push(`${clusterName}/${name}`));
  running.start();
  await createConfigMap(one.client, "object");
});

afterAll(async () => {
  await servers.stop();
});

async function apply(name: string, text: string, labels: Record<string, string> = { [LABEL]: "true" }): Promise<void> {
  const data = { kubeconfig: Buffer.from(text).toString("base64") };
  const secret = Secret.create({ metadata: { namespace: "default", name, labels }, data });
  const found = await hub.client.get(Secret, { namespace: "default", name }).catch(() => undefined);
  await (found === undefined ? hub.client.create(secret) : hub.client.update({ ...found, data }));
}

const problems = (): readonly unknown[] =>
  running.logger.records.flatMap(({ error }) => (error === undefined ? [] : [(error as { code?: unknown }).code]));

describe("a provider of Secrets", () => {
  it("engages the cluster of each Secret with the label, and disengages it with the Secret", async () => {
    await apply("unlabeled", kubeconfig, {});
    await apply("prod", kubeconfig);
    await vi.waitFor(() => expect(reconciled).toContain("prod/object"));
    expect(running.clusters.getClusterNames()).toEqual(["prod"]);
    await hub.client.delete(Secret.create({ metadata: { namespace: "default", name: "prod" } }));
    await vi.waitFor(() => expect(running.clusters.getClusterNames()).toEqual([]));
  });

  it("engages a cluster again when its kubeconfig changes, and only then", async () => {
    await apply("changing", kubeconfig);
    await vi.waitFor(() => expect(running.clusters.getClusterNames()).toEqual(["changing"]));
    const first = running.clusters.getCluster("changing");
    const secret = await hub.client.get(Secret, { namespace: "default", name: "changing" });
    await hub.client.update({ ...secret, metadata: { ...secret.metadata, annotations: { touched: "1" } } });
    await apply("marker", kubeconfig);
    await vi.waitFor(() => expect(running.clusters.getClusterNames()).toContain("marker"));
    expect(running.clusters.getCluster("changing")).toBe(first);
    await apply("changing", `${kubeconfig}\n`);
    await vi.waitFor(() => {
      expect(running.clusters.getClusterNames()).toContain("changing");
      expect(running.clusters.getCluster("changing")).not.toBe(first);
    });
  });

  it("keeps a cluster whose new kubeconfig cannot be used, and logs the reason without the text", async () => {
    await apply("kept", kubeconfig);
    await vi.waitFor(() => expect(running.clusters.getClusterNames()).toContain("kept"));
    const first = running.clusters.getCluster("kept");
    await apply("kept", "users:\n- user:\n    token: top: secret\n");
    await vi.waitFor(() => expect(problems()).toContain("MANIFEST_BAD_YAML"));
    expect(running.clusters.getCluster("kept")).toBe(first);
    expect(running.logger.records.map(({ error }) => String(error)).join("\n")).not.toContain("top");
  });

  it("logs no error when it disengages a cluster", () => {
    const messages = running.logger.records
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message);
    expect(messages).toEqual(["cannot engage the cluster of a Secret"]);
  });

  it.each([
    ["exec", { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "/bin/sh", interactiveMode: "Never" } }],
    ["tokenFile", { tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token" }],
    ["client-key", { "client-certificate": "/etc/a.crt", "client-key": "/etc/a.key" }],
    ["auth-provider", { "auth-provider": { name: "oidc", config: {} } }],
  ])("refuses a kubeconfig with %s, which would use the permissions of the process", async (setting, user) => {
    const name = `unsafe-${setting.toLowerCase()}`;
    const document = JSON.parse(kubeconfig) as { users: { user: unknown }[] };
    document.users = document.users.map((each) => ({ ...each, user }));
    await apply(name, JSON.stringify(document));
    const refusals = (): readonly string[] =>
      running.logger.records.filter(({ fields }) => fields["cluster"] === name).map(({ error }) => String(error));
    await vi.waitFor(() => expect(refusals().join("\n")).toContain(setting));
    expect(problems()).toContain("CLUSTER_UNSAFE_KUBECONFIG");
    expect(running.clusters.getClusterNames()).not.toContain(name);
  });
});

import type { RestConfig } from "@kubescaffold/k8s";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";

describe("streams of Pods in a cluster without simulated workloads", () => {
  let cluster: EmbeddedCluster;

  beforeEach(() => {
    cluster = createEmbeddedCluster({ lifecycleControllers: false });
  });
  afterEach(async () => await cluster.close());

  async function call(method: string, path: string, body?: unknown): Promise<{ code: number; text: string }> {
    const { transport, credentials } = cluster.config as RestConfig & { readonly credentials: { token: string } };
    const headers = { Authorization: `Bearer ${credentials.token}`, "Content-Type": "application/json" };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await transport?.(new Request(`http://server.test${path}`, { method, headers, ...text }));
    return { code: response?.status ?? 0, text: (await response?.text()) ?? "" };
  }

  async function createPod(name: string, spec: object): Promise<void> {
    const containers = [{ name: "main", image: "busybox" }];
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers, ...spec } };
    expect((await call("POST", PODS, pod)).code).toBe(201);
  }

  it("answers for Pods without a node as kube-apiserver does", async () => {
    await createPod("pending", {});
    expect(await call("GET", `${PODS}/pending/log`)).toEqual({ code: 204, text: "" });
    const other = await call("GET", `${PODS}/pending/log?container=other`);
    expect([other.code, other.text]).toEqual([
      400,
      expect.stringContaining("container other is not valid for pod pending"),
    ]);
    const exec = await call("POST", `${PODS}/pending/exec?command=date&stdout=true`);
    expect([exec.code, exec.text]).toEqual([400, expect.stringContaining("pod pending does not have a host assigned")]);
    expect((await call("GET", `${PODS}/none/log`)).code).toBe(404);
  });

  it("refuses streams of containers on a node, which nothing runs", async () => {
    await createPod("placed", { nodeName: "node" });
    const { code, text } = await call("GET", `${PODS}/placed/log`);
    expect([code, text]).toEqual([501, expect.stringContaining("container main")]);
  });
});

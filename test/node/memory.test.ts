import { setTimeout as delay } from "node:timers/promises";

import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { eventually } from "../e2e/eventually.ts";
import { NODE_NAME } from "./addresses.ts";
import { containerMemory } from "./container-memory.ts";
import { exampleProject } from "./example-project.ts";
import { processOf, readyManagers } from "./manager-pods.ts";
import { CLUSTER, kubectl, nodeCluster, type NodeProject } from "./node-project.ts";

const LIVENESS_MS = 900_000;
const NAMESPACE = "guestbook-system";
const DEPLOYMENT = "deployment/guestbook-controller-manager";
const IMAGE = "example.com/guestbook:memory";
const OBJECTS = 100;
const MOST_MIB = 85;
/** How long the manager rests; the bench waits five minutes. */
const REST_MS = Number(process.env["KUBESCAFFOLD_NODE_REST_SECONDS"] ?? "30") * 1000;

describe.skipIf(CLUSTER === undefined)("the memory of a manager on a real node", { timeout: LIVENESS_MS }, () => {
  let project: NodeProject;
  let client: LiveClient;

  beforeAll(async () => {
    client = createClient(nodeCluster().config);
    project = await exampleProject("guestbook", IMAGE);
    await project.scaffold(`deploy --image ${IMAGE}`);
  }, LIVENESS_MS);

  afterAll(async () => {
    await project?.scaffold("undeploy --delete-crds");
    project?.remove();
  }, LIVENESS_MS);

  it("stays below its target with webhooks, metrics over TLS, leader election, three informers, and 100 objects", async () => {
    const [pod] = await readyManagers(client, NAMESPACE, 1);
    // The Pods of the guestbooks need not run.
    await kubectl("cordon", NODE_NAME);
    for (let number = 1; number <= OBJECTS; number += 1) {
      const metadata = { name: `guestbook-${String(number)}`, namespace: "default" };
      await client.create({ apiVersion: "webapp.demo/v1", kind: "Guestbook", metadata, spec: {} } as never);
    }
    await kubectl("wait", "--for=jsonpath={.status.observedGeneration}=1", "guestbooks", "--all", "--timeout=300s");
    await delay(REST_MS);
    const { workingMib, peakMib } = containerMemory(processOf(pod?.metadata.name ?? ""));
    console.log(
      `memory of the manager: ${workingMib.toFixed(1)} MiB less inactive files, ${peakMib.toFixed(1)} MiB at most`,
    );
    expect(workingMib).toBeLessThan(MOST_MIB);
    await kubectl("delete", "guestbooks", "--all");
    await kubectl("uncordon", NODE_NAME);
  });

  it("is killed and restarted where the limit is too low, and runs with 80 MiB", async () => {
    await setLimit("24Mi");
    await eventually(
      async () => {
        const output = await kubectl("get", "pods", "--namespace", NAMESPACE, "--output=json");
        return /"reason": "OOMKilled"/u.test(output) ? true : undefined;
      },
      () => "a container that was killed for its memory",
    );
    await setLimit("80Mi");
    await kubectl("rollout", "status", "--namespace", NAMESPACE, DEPLOYMENT, "--timeout=180s");
    const [pod] = await readyManagers(client, NAMESPACE, 1);
    expect(pod?.status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  async function setLimit(memory: string): Promise<void> {
    const limits = [`--limits=memory=${memory}`, `--requests=memory=${memory}`];
    await kubectl("set", "resources", "--namespace", NAMESPACE, DEPLOYMENT, ...limits);
  }
});

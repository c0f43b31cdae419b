import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const { setImmediate } = globalThis;

const STORM = 120;
const PODS = "/api/v1/namespaces/default/pods";
// Each step of a controller writes at most once; the writes of a turn before can end in this one.
const MOST_WRITES_PER_TURN = 16;

let cluster: EmbeddedCluster;
let admin: Requests;
let writes: Writes;

beforeEach(() => {
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
  writes = new Writes();
  cluster.server.context.objects.observe(undefined, () => writes.count());
});

afterEach(async () => {
  writes.stop();
  await cluster.close();
});

/** Counts writes between the turns of the event loop. */
class Writes {
  total = 0;
  #inTurn = 0;
  #isStopped = false;
  /** The most writes of a turn. */
  most = 0;

  constructor() {
    const turn = (): void => {
      this.#inTurn = 0;
      if (!this.#isStopped) setImmediate(turn);
    };
    turn();
  }

  count(): void {
    this.total += 1;
    this.#inTurn += 1;
    this.most = Math.max(this.most, this.#inTurn);
  }

  stop(): void {
    this.#isStopped = true;
  }
}

async function startStorm(): Promise<void> {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "busybox:1" }] } };
  const spec = { replicas: STORM, selector: { matchLabels: labels }, template };
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
  expect(await admin.post("/apis/apps/v1/namespaces/default/deployments", deployment)).toMatchObject({ status: 201 });
}

async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

describe("controllers that have much to do", () => {
  it("leave the event loop to others after a few writes", async () => {
    await startStorm();
    await cluster.server.idle();
    expect(writes.total).toBeGreaterThan(4 * STORM);
    expect(writes.most).toBeLessThanOrEqual(MOST_WRITES_PER_TURN);
  });

  it("let requests through after a few writes", async () => {
    await startStorm();
    const waits: number[] = [];
    for (let request = 0; request < 20; request += 1) {
      await nextTurn();
      const before = writes.total;
      expect(await admin.get(`${PODS}?limit=1`)).toMatchObject({ status: 200 });
      waits.push(writes.total - before);
    }
    expect(writes.total).toBeLessThan(STORM);
    expect(Math.max(...waits)).toBeLessThanOrEqual(MOST_WRITES_PER_TURN);
    await cluster.server.idle();
  });
});

import { once } from "node:events";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PODS, simulation, type Simulation } from "./containers/pod-fixtures.ts";

let clock: FakeClock;
let pods: Simulation;

beforeEach(() => {
  clock = new FakeClock();
  pods = simulation(clock);
});

afterEach(async () => pods.cluster.close());

describe("a pod on a simulated node", () => {
  it("fails when its active deadline is over, also one that was set later", async () => {
    pods.cluster.images.define("app:*", async ({ signal }) => {
      await once(signal, "abort");
    });
    await pods.run("p");
    await pods.eventually("p", { status: { phase: "Running" } });
    const patch = { spec: { activeDeadlineSeconds: 5 } };
    await pods.admin.patch(`${PODS}/p`, patch);
    await pods.cluster.server.idle();
    clock.step(4000);
    await pods.cluster.server.idle();
    expect((await pods.pod("p")).status.phase).toBe("Running");
    clock.step(1000);
    await pods.eventually("p", {
      status: {
        phase: "Failed",
        reason: "DeadlineExceeded",
        message: "Pod was active on the node longer than the specified deadline",
      },
    });
    await pods.cluster.server.idle();
    const { body } = await pods.admin.get("/api/v1/namespaces/default/events?fieldSelector=source=kubelet");
    expect((body as unknown as { readonly items: readonly object[] }).items).toContainEqual(
      expect.objectContaining({ reason: "Killing", message: "Stopping container c" }),
    );
  });

  it("has the address of the node with its network", async () => {
    await pods.run("p", {}, { hostNetwork: true });
    const { body } = await pods.admin.get("/api/v1/nodes/node-0");
    const { addresses } = (body as unknown as { readonly status: { readonly addresses: readonly [object] } }).status;
    await pods.eventually("p", { status: { podIP: (addresses[0] as { readonly address: string }).address } });
    expect((await pods.pod("p")).status.phase).toBe("Running");
  });

  it("reports the generation that it has seen", async () => {
    await pods.run("p");
    await pods.eventually("p", { status: { observedGeneration: 1 } });
    await pods.admin.patch(`${PODS}/p`, { spec: { activeDeadlineSeconds: 50 } });
    const pod = await pods.eventually("p", { status: { observedGeneration: 2 } });
    expect(pod.status.phase).toBe("Running");
  });
});

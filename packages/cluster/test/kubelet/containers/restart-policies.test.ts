import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

let clock: FakeClock;
let pods: Simulation;

beforeEach(() => {
  clock = new FakeClock();
  pods = simulation(clock);
  pods.cluster.images.define("app:*", () => 2);
});

afterEach(async () => pods.cluster.close());

function isRestarted(name: string): Promise<unknown> {
  const waiting = { reason: "CrashLoopBackOff" };
  const status = { phase: "Running", containerStatuses: [{ restartCount: 1, state: { waiting } }] };
  return expect
    .poll(
      async () => {
        clock.step(0);
        return await pods.pod(name);
      },
      { timeout: 5000, interval: 5 },
    )
    .toMatchObject({ status });
}

function rule(operator: string, values: readonly number[]): object {
  return { restartPolicy: "Never", restartPolicyRules: [{ action: "Restart", exitCodes: { operator, values } }] };
}

describe("the restart policy of a container", () => {
  it("precedes that of its Pod", async () => {
    await pods.run("always", { restartPolicy: "Always" }, { restartPolicy: "Never" });
    await isRestarted("always");
    await pods.run("failure", { restartPolicy: "OnFailure" }, { restartPolicy: "Never" });
    await isRestarted("failure");
    await pods.run("never", { restartPolicy: "Never" }, { restartPolicy: "Always" });
    await pods.eventually("never", { status: { phase: "Failed", containerStatuses: [{ restartCount: 0 }] } });
    const neighbor = await pods.pod("never");
    expect(neighbor.status.conditions.find(({ type }) => type === "Ready")).toMatchObject({ reason: "PodFailed" });
  });

  it("has rules by the exit code", async () => {
    await pods.run("in", rule("In", [1, 2]), { restartPolicy: "Never" });
    await isRestarted("in");
    await pods.run("not-in", rule("NotIn", [0]), { restartPolicy: "Never" });
    await isRestarted("not-in");
    await pods.run("other", rule("In", [3]), { restartPolicy: "Always" });
    await pods.eventually("other", { status: { phase: "Failed" } });
    expect(await pods.admin.get(`${PODS}/other`)).toMatchObject({ status: 200 });
  });
});

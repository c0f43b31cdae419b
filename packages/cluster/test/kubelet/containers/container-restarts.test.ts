import { once } from "node:events";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const FROM_CONFIG = { env: [{ name: "MODE", valueFrom: { configMapKeyRef: { name: "config", key: "mode" } } }] };

let clock: FakeClock;
let pods: Simulation;
// The variables of each run, and what ends the last one.
let runs: (string | undefined)[];
let fail: () => void;

beforeEach(() => {
  clock = new FakeClock();
  pods = simulation(clock);
  runs = [];
  pods.cluster.images.define("app:*", async ({ env }) => {
    runs.push(env["MODE"]);
    await new Promise<void>((resolve) => (fail = resolve));
    return 1;
  });
});

afterEach(async () => {
  fail();
  await pods.cluster.close();
});

async function createConfig(mode: string): Promise<void> {
  const metadata = { name: "config" };
  await pods.admin.post(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { mode } });
}

// Lets the clock go on until the Pod is as expected.
async function passUntil(expected: object, stepMs = 1000): Promise<void> {
  const step = async (): Promise<unknown> => {
    clock.step(stepMs);
    return await pods.pod("p");
  };
  await expect.poll(step, { timeout: 10_000, interval: 5 }).toMatchObject(expected);
}

async function changeImage(image: string): Promise<void> {
  const pod = await pods.pod("p");
  const spec = { ...pod.spec, containers: [{ ...(pod.spec["containers"] as object[])[0], image }] };
  expect(await pods.admin.put(`${PODS}/p`, { ...pod, spec })).toMatchObject({ status: 200 });
}

function container(expected: object): object {
  return { status: { phase: "Running", containerStatuses: [expected] } };
}

describe("a restart", () => {
  it("reads the variables of the container again", async () => {
    await createConfig("old");
    await pods.run("p", FROM_CONFIG);
    await expect.poll(() => runs).toEqual(["old"]);
    await pods.admin.patch(`${CONFIG_MAPS}/config`, { data: { mode: "new" } });
    fail();
    await passUntil(container({ restartCount: 1, state: { running: {} } }), 0);
    await expect.poll(() => runs).toEqual(["old", "new"]);
  });

  it("waits for what the variables lack by then", async () => {
    await createConfig("old");
    await pods.run("p", FROM_CONFIG);
    await expect.poll(() => runs).toEqual(["old"]);
    await pods.admin.delete(`${CONFIG_MAPS}/config`);
    fail();
    const waiting = { reason: "CreateContainerConfigError", message: 'configmap "config" not found' };
    const lastState = { terminated: { exitCode: 1 } };
    await passUntil(container({ ready: false, restartCount: 0, state: { waiting }, lastState }), 0);
    await createConfig("again");
    await passUntil(container({ ready: true, restartCount: 1, state: { running: {} } }));
    expect(runs).toEqual(["old", "again"]);
  });

  it("follows a long run without a wait", async () => {
    await pods.run("p");
    for (const restartCount of [0, 1, 2]) {
      await passUntil(container({ restartCount, state: { running: {} } }));
      fail();
    }
    await passUntil(container({ restartCount: 3, state: { running: {} } }));
    clock.step(601_000);
    fail();
    await passUntil(container({ restartCount: 4, state: { running: {} } }), 0);
    fail();
    const message = /^back-off 10s restarting failed container=c pod=p_default/u;
    const state = { waiting: { reason: "CrashLoopBackOff", message: expect.stringMatching(message) as string } };
    await passUntil(container({ restartCount: 4, state }), 0);
  });
});

describe("another image", () => {
  it("replaces a running container", async () => {
    pods.cluster.images.define("app:2", async ({ signal, log }) => {
      log("two");
      await once(signal, "abort");
    });
    await pods.run("p", {}, { terminationGracePeriodSeconds: 5 });
    await changeImage("app:2");
    const lastState = { terminated: { exitCode: 137, reason: "Error" } };
    const running = { image: "app:2", imageID: "app:2", restartCount: 1, ready: true, state: { running: {} } };
    await passUntil(container({ ...running, lastState }));
    expect((await pods.admin.get(`${PODS}/p/log`)).body).toEqual({ text: "two\n" });
    const { body } = await pods.admin.get("/api/v1/namespaces/default/events?fieldSelector=reason=Killing");
    expect(body).toMatchObject({ items: [{ message: "Container c definition changed, will be restarted" }] });
  });

  it("ends the waits of a container that crashes", async () => {
    pods.cluster.images.define("broken:*", () => 1);
    await pods.run("p", { image: "broken:1" });
    const waiting = { waiting: { reason: "CrashLoopBackOff" } };
    await passUntil(container({ state: waiting }), 0);
    await changeImage("app:1");
    await passUntil(container({ image: "app:1", state: { running: {} } }), 0);
    expect(runs).toEqual([undefined]);
  });

  it("replaces a container without a definition, on which nothing else has an effect", async () => {
    await pods.run("p", { image: "unknown:1" });
    const { state } = (await pods.pod("p")).status.containerStatuses[0] ?? {};
    clock.step(5000);
    await pods.admin.patch(`${PODS}/p`, { spec: { activeDeadlineSeconds: 1000 } });
    await pods.cluster.server.idle();
    expect((await pods.pod("p")).status).toMatchObject({ observedGeneration: 2, containerStatuses: [{ state }] });
    await changeImage("unknown:2");
    const lastState = { terminated: { exitCode: 137 } };
    await passUntil(container({ image: "unknown:2", restartCount: 1, state: { running: {} }, lastState }));
  });
});

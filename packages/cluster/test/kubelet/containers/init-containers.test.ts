import { once } from "node:events";

import type { Pod, PodStatus } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

let tools: Simulation;
let steps: string[];

beforeEach(() => {
  tools = simulation();
  steps = [];
});

afterEach(async () => tools.cluster.close());

async function status(name: string): Promise<PodStatus> {
  return ((await tools.admin.get(`${PODS}/${name}`)).body as unknown as Pod).status ?? {};
}

async function conditionOf(name: string, wanted: string): Promise<string> {
  const found = (await status(name)).conditions?.find(({ type }) => type === wanted);
  return [found?.status, found?.reason, found?.message].filter((each) => each !== undefined).join(" ");
}

function step(name: string, more: object = {}): object {
  return { name, image: `${name}:1`, ...more };
}

describe("init containers", () => {
  it("succeed at once without a definition, and sidecars run", async () => {
    await tools.run("p", {}, { initContainers: [step("a"), step("proxy", { restartPolicy: "Always" })] });
    expect(await status("p")).toMatchObject({
      phase: "Running",
      initContainerStatuses: [
        { name: "a", ready: true, state: { terminated: { exitCode: 0, reason: "Completed" } } },
        { name: "proxy", ready: true, started: true, state: { running: {} } },
      ],
      containerStatuses: [{ ready: true }],
    });
  });

  it("run in their order, each after the one before it has succeeded", async () => {
    let finish = (): void => undefined;
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    tools.cluster.images.define("a:*", async () => {
      steps.push("a");
      await first;
    });
    tools.cluster.images.define("b:*", () => void steps.push("b"));
    tools.cluster.images.define("app:*", async ({ signal }) => {
      steps.push("app");
      await once(signal, "abort");
    });
    await tools.run("p", {}, { initContainers: [step("a"), step("b")] });
    await expect.poll(() => steps).toEqual(["a"]);
    expect(await status("p")).toMatchObject({
      phase: "Pending",
      initContainerStatuses: [
        { name: "a", ready: false, state: { running: {} } },
        { name: "b", ready: false, state: { waiting: { reason: "PodInitializing" } } },
      ],
      containerStatuses: [{ ready: false, state: { waiting: { reason: "PodInitializing" } } }],
    });
    expect(await conditionOf("p", "Initialized")).toBe(
      "False ContainersNotInitialized containers with incomplete status: [a b]",
    );
    finish();
    await expect.poll(() => steps).toEqual(["a", "b", "app"]);
    await expect.poll(async () => await conditionOf("p", "Ready")).toBe("True");
    expect(await conditionOf("p", "Initialized")).toBe("True");
  });

  it("are restarted until they succeed, and fail the Pod that is not restarted", async () => {
    let runs = 0;
    tools.cluster.images.define("flaky:*", () => {
      runs += 1;
      return runs === 1 ? 3 : 0;
    });
    await tools.run("again", {}, { initContainers: [step("flaky")] });
    await expect.poll(async () => await conditionOf("again", "Ready")).toBe("True");
    expect(await status("again")).toMatchObject({
      initContainerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 3 } } }],
    });
    tools.cluster.images.define("broken:*", () => 4);
    await tools.run("once", {}, { restartPolicy: "Never", initContainers: [step("broken")] });
    await expect.poll(async () => (await status("once")).phase).toBe("Failed");
    expect((await status("once")).containerStatuses).toMatchObject([
      { state: { waiting: { reason: "PodInitializing" } } },
    ]);
  });

  it("start sidecars before the others, and stop them at the end", async () => {
    tools.cluster.images.define("proxy:*", async ({ signal }) => {
      steps.push("proxy");
      await once(signal, "abort");
      steps.push("proxy ends");
    });
    tools.cluster.images.define("app:*", () => void steps.push("app"));
    const sidecar = step("proxy", { restartPolicy: "Always" });
    await tools.run("p", {}, { restartPolicy: "Never", initContainers: [sidecar] });
    await expect.poll(() => steps).toEqual(["proxy", "app", "proxy ends"]);
    await expect.poll(async () => (await status("p")).phase).toBe("Succeeded");
  });

  it("keep the Pod from its last phase until the sidecars have stopped, the last one first", async () => {
    const ends = new Map<string, () => void>();
    const sidecars = ["first", "second"].map((name) => step(name, { restartPolicy: "Always" }));
    for (const name of ["first", "second"])
      tools.cluster.images.define(`${name}:*`, async ({ signal }) => {
        await once(signal, "abort");
        steps.push(name);
        await new Promise<void>((resolve) => {
          ends.set(name, resolve);
        });
      });
    tools.cluster.images.define("app:*", () => 3);
    await tools.run("p", {}, { restartPolicy: "Never", initContainers: sidecars });
    await expect.poll(() => steps).toEqual(["second"]);
    expect(await status("p")).toMatchObject({
      phase: "Running",
      initContainerStatuses: [{ state: { running: {} } }, { state: { running: {} } }],
      containerStatuses: [{ state: { terminated: { exitCode: 3 } } }],
    });
    expect(await conditionOf("p", "Ready")).toBe("False PodFailed");
    expect(await conditionOf("p", "PodReadyToStartContainers")).toBe("True");
    ends.get("second")?.();
    await expect.poll(() => steps).toEqual(["second", "first"]);
    expect((await status("p")).phase).toBe("Running");
    ends.get("first")?.();
    await expect.poll(async () => (await status("p")).phase).toBe("Failed");
    expect((await status("p")).initContainerStatuses).toMatchObject([
      { restartCount: 0, state: { terminated: { exitCode: 0 } } },
      { restartCount: 0, state: { terminated: { exitCode: 0 } } },
    ]);
    expect(await conditionOf("p", "PodReadyToStartContainers")).toBe(
      "False PodSandboxNotReady pod sandbox is not ready",
    );
  });

  it("kills sidecars that do not stop within the grace period", async () => {
    tools.cluster.images.define("proxy:*", async () => await new Promise(() => undefined));
    tools.cluster.images.define("app:*", () => undefined);
    const initContainers = [step("proxy", { restartPolicy: "Always" })];
    await tools.run("p", {}, { restartPolicy: "Never", terminationGracePeriodSeconds: 1, initContainers });
    await expect.poll(async () => (await status("p")).phase, { timeout: 20_000 }).toBe("Succeeded");
    expect((await status("p")).initContainerStatuses).toMatchObject([{ state: { terminated: { exitCode: 137 } } }]);
  });

  it("ends sidecars without a definition with their Pod", async () => {
    tools.cluster.images.define("app:*", () => undefined);
    const initContainers = [step("proxy", { restartPolicy: "Always" })];
    await tools.run("p", {}, { restartPolicy: "Never", initContainers });
    await expect.poll(async () => (await status("p")).phase).toBe("Succeeded");
    expect((await status("p")).initContainerStatuses).toMatchObject([{ state: { terminated: { exitCode: 0 } } }]);
  });
});

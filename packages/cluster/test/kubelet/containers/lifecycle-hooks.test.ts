import { once } from "node:events";
import { createServer } from "node:http";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ImageDefinition } from "../../../src/kubelet/containers/image-definitions.ts";
import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

let clock: FakeClock;
let pods: Simulation;
let steps: string[];
let release: () => void;

beforeEach(() => {
  clock = new FakeClock();
  pods = simulation(clock);
  steps = [];
  release = () => undefined;
  pods.cluster.images.define("app:*", APP);
});

afterEach(async () => pods.cluster.close());

// The command `wait` waits for `release`.
const APP: ImageDefinition = {
  lifecycleHooks: true,
  run: async ({ container, signal }) => {
    steps.push(`${container} runs`);
    await once(signal, "abort");
    steps.push(`${container} stops`);
  },
  exec: async ({ command, container }) => {
    steps.push(`${container}: ${command.join(" ")}`);
    if (command[0] === "wait")
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    return command[0] === "fail" ? 1 : 0;
  },
};

async function eventsOf(name: string): Promise<readonly string[]> {
  const { body } = await pods.admin.get(`/api/v1/events?fieldSelector=involvedObject.name=${name}`);
  const { items } = body as { readonly items?: readonly { readonly reason: string; readonly message: string }[] };
  return (items ?? []).map(({ reason, message }) => `${reason}: ${message}`);
}

async function exists(name: string): Promise<boolean> {
  return (await pods.admin.get(`${PODS}/${name}`)).status === 200;
}

const STARTING = {
  status: {
    phase: "Pending",
    containerStatuses: [{ ready: false, state: { waiting: { reason: "ContainerCreating" } } }],
  },
};
const RUNNING = { status: { phase: "Running", containerStatuses: [{ ready: true, state: { running: {} } }] } };

describe("the hook postStart", () => {
  it("runs after the start of the process, and the container is reported as running when it has ended", async () => {
    await pods.run("p", { lifecycle: { postStart: { exec: { command: ["wait", "here"] } } } });
    await expect.poll(() => steps).toEqual(["c runs", "c: wait here"]);
    expect(await pods.pod("p")).toMatchObject(STARTING);
    release();
    await pods.eventually("p", RUNNING);
  });

  it("lets the next containers of the Pod wait", async () => {
    const lifecycle = { postStart: { exec: { command: ["wait"] } } };
    const containers = [
      { name: "first", image: "app:1", lifecycle },
      { name: "second", image: "app:1" },
      { name: "third", image: "other:1" },
    ];
    await pods.run("p", {}, { containers });
    await expect.poll(() => steps).toEqual(["first runs", "first: wait"]);
    expect((await pods.pod("p")).status.containerStatuses.map(({ state }) => state)).toEqual(
      ["first", "second", "third"].map(() => ({ waiting: { reason: "ContainerCreating" } })),
    );
    release();
    await pods.eventually("p", { status: { containerStatuses: [{ ready: true }, { ready: true }, { ready: true }] } });
    expect(steps).toEqual(["first runs", "first: wait", "second runs"]);
  });

  it("that fails ends the container, which is restarted", async () => {
    await pods.run("p", { lifecycle: { postStart: { exec: { command: ["fail"] } } } });
    await expect.poll(() => steps.slice(0, 3)).toEqual(["c runs", "c: fail", "c stops"]);
    await pods.eventually("p", { status: { containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] } });
    clock.step(1);
    await pods.eventually("p", { status: { containerStatuses: [{ ready: false, restartCount: 1 }] } });
    await expect
      .poll(async () => await eventsOf("p"))
      .toEqual(expect.arrayContaining(["FailedPostStartHook: PostStartHook failed", "Killing: FailedPostStartHook"]));
  });

  it("sends requests to other Pods; every response is a success", async () => {
    const server = createServer((request, response) => {
      steps.push(
        `${request.url ?? ""} from ${request.headers["user-agent"] ?? ""} with ${String(request.headers["x-key"])}`,
      );
      response.statusCode = 500;
      response.end();
    });
    pods.cluster.images.define("target:*", async ({ ports, signal }) => {
      ports.listen(8080, (connection) => server.emit("connection", connection));
      await once(signal, "abort");
    });
    await pods.run("target", { image: "target:1" });
    await pods.eventually("target", RUNNING);
    const { body } = await pods.admin.get(`${PODS}/target`);
    const host = (body["status"] as { readonly podIP: string }).podIP;
    const httpGet = { host, port: 8080, path: "/started", httpHeaders: [{ name: "X-Key", value: "k" }] };
    await pods.run("p", { lifecycle: { postStart: { httpGet } } });
    await pods.eventually("p", RUNNING);
    expect(steps).toEqual(["c runs", `/started from kube-lifecycle/${KUBERNETES_MINOR} with k`]);
    expect((await eventsOf("p")).filter((text) => text.startsWith("FailedPostStartHook"))).toEqual([]);
  });

  it("does not run for images without `lifecycleHooks`", async () => {
    pods.cluster.images.define("app:*", { ...APP, lifecycleHooks: false });
    await pods.run("p", { lifecycle: { postStart: { exec: { command: ["fail"] } } } });
    await pods.eventually("p", RUNNING);
    expect(steps).toEqual(["c runs"]);
  });
});

describe("the hook preStop", () => {
  it("runs before the process of a deleted Pod is asked to stop", async () => {
    await pods.run("p", { lifecycle: { preStop: { exec: { command: ["wait"] } } } });
    await pods.eventually("p", RUNNING);
    await pods.admin.delete(`${PODS}/p`);
    await expect.poll(() => steps).toEqual(["c runs", "c: wait"]);
    expect(await exists("p")).toBe(true);
    release();
    await expect.poll(async () => await exists("p")).toBe(false);
    expect(steps).toEqual(["c runs", "c: wait", "c stops"]);
  });

  it("sleeps on the clock of the cluster", async () => {
    await pods.run("p", { lifecycle: { preStop: { sleep: { seconds: 5 } } } });
    await pods.eventually("p", RUNNING);
    await pods.admin.delete(`${PODS}/p`);
    await pods.cluster.server.idle();
    clock.step(4999);
    await pods.cluster.server.idle();
    expect(steps).toEqual(["c runs"]);
    clock.step(1);
    await expect.poll(() => steps).toEqual(["c runs", "c stops"]);
    await expect.poll(async () => await exists("p")).toBe(false);
  });

  it("sleeps for an integer of seconds beyond 2^53, until the grace period is over", async () => {
    const seconds = 2n ** 53n + 1n;
    await pods.run("p", { lifecycle: { preStop: { sleep: { seconds } } } }, { terminationGracePeriodSeconds: seconds });
    await pods.eventually("p", RUNNING);
    await pods.admin.delete(`${PODS}/p`);
    await pods.cluster.server.idle();
    clock.step(1_000_000_000);
    await pods.cluster.server.idle();
    expect(steps).toEqual(["c runs"]);
    await pods.admin.delete(`${PODS}/p?gracePeriodSeconds=0`);
    await expect.poll(() => steps).toEqual(["c runs", "c stops"]);
    await expect.poll(async () => await exists("p")).toBe(false);
  });

  it("is over with the grace period", async () => {
    await pods.run("p", { lifecycle: { preStop: { exec: { command: ["wait"] } } } });
    await pods.eventually("p", RUNNING);
    await pods.admin.delete(`${PODS}/p?gracePeriodSeconds=10`);
    await expect.poll(() => steps).toEqual(["c runs", "c: wait"]);
    clock.step(9999);
    await pods.cluster.server.idle();
    expect(steps).toEqual(["c runs", "c: wait"]);
    clock.step(1);
    await expect.poll(() => steps).toEqual(["c runs", "c: wait", "c stops"]);
    await expect.poll(async () => await exists("p")).toBe(false);
  });

  it("that fails is reported, and the process stops", async () => {
    await pods.run("p", { lifecycle: { preStop: { httpGet: { port: 81 } } } }, {});
    await pods.eventually("p", RUNNING);
    await pods.admin.delete(`${PODS}/p`);
    await expect.poll(() => steps).toEqual(["c runs", "c stops"]);
    await expect.poll(async () => await eventsOf("p")).toContain("FailedPreStopHook: PreStopHook failed");
  });

  it("does not run without a grace period, nor when the process has ended by itself", async () => {
    const lifecycle = { preStop: { exec: { command: ["wait"] } } };
    await pods.run("forced", { lifecycle });
    await pods.eventually("forced", RUNNING);
    await pods.admin.delete(`${PODS}/forced?gracePeriodSeconds=0`);
    await expect.poll(() => steps).toEqual(["c runs", "c stops"]);
    pods.cluster.images.define("app:*", { ...APP, run: () => 0 });
    await pods.run("done", { lifecycle }, { restartPolicy: "Never" });
    await pods.eventually("done", { status: { phase: "Succeeded" } });
    await pods.admin.delete(`${PODS}/done`);
    await expect.poll(async () => await exists("done")).toBe(false);
    expect(steps).toEqual(["c runs", "c stops"]);
  });
});

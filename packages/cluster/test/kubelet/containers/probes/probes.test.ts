import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { MainProcess } from "../../../../src/kubelet/containers/image-definitions.ts";
import { simulation, type Simulation } from "../pod-fixtures.ts";

let clock: FakeClock;
let pods: Simulation;
let isHealthy: boolean;

beforeEach(() => {
  clock = new FakeClock();
  pods = simulation(clock);
  isHealthy = false;
  pods.cluster.images.define("app:*", {
    probes: true,
    run: serveHealth,
    exec: ({ command }) => (command[0] === "check" && isHealthy ? 0 : 1),
  });
});

afterEach(async () => pods.cluster.close());

async function serveHealth({ ports, signal }: MainProcess): Promise<void> {
  const server = createServer((_request, response) => {
    response.statusCode = isHealthy ? 200 : 500;
    response.end();
  });
  ports.listen(8080, (connection) => server.emit("connection", connection));
  await once(signal, "abort");
}

// Moves the time on until a condition holds: each attempt of a probe takes some turns of the event loop.
async function passUntil(name: string, expected: object): Promise<void> {
  await expect
    .poll(
      async () => {
        clock.step(1000);
        return await pods.pod(name);
      },
      { timeout: 10_000, interval: 5 },
    )
    .toMatchObject(expected);
}

async function eventsOf(reason: string): Promise<readonly string[]> {
  const { body } = await pods.admin.get("/api/v1/namespaces/default/events");
  const { items } = body as unknown as {
    readonly items: readonly { readonly reason: string; readonly message: string }[];
  };
  return items.filter((event) => event.reason === reason).map(({ message }) => message);
}

const HTTP = { httpGet: { path: "/healthz", port: 8080 } };
const READY = { status: { containerStatuses: [{ ready: true, restartCount: 0 }] } };

describe("readiness probes", () => {
  it("make a container ready when they succeed, and not before", async () => {
    await pods.run("p", { readinessProbe: { ...HTTP, periodSeconds: 1 } });
    await expect
      .poll(async () => {
        clock.step(1000);
        return await eventsOf("Unhealthy");
      })
      .toContain("Readiness probe failed: HTTP probe failed with statuscode: 500");
    expect((await pods.pod("p")).status.containerStatuses).toMatchObject([{ ready: false, restartCount: 0 }]);
    isHealthy = true;
    await passUntil("p", READY);
  });

  it("fail while nothing listens on the port, and wait for the initial delay", async () => {
    isHealthy = true;
    await pods.run("p", { readinessProbe: { tcpSocket: { port: 81 }, periodSeconds: 1, initialDelaySeconds: 3 } });
    await pods.eventually("p", { status: { phase: "Running", containerStatuses: [{ ready: false }] } });
    const started = clock.now();
    await expect
      .poll(async () => {
        clock.step(1000);
        return await eventsOf("Unhealthy");
      })
      .toContainEqual(
        expect.stringMatching(/^Readiness probe failed: dial tcp [\d.]+:81: connect: connection refused$/u),
      );
    expect(clock.now() - started).toBeGreaterThanOrEqual(3000);
  });

  it("speak gRPC's health protocol", async () => {
    pods.cluster.images.define("grpc:*", {
      probes: true,
      run: async ({ ports, signal }) => {
        const server = createHttp2Server();
        server.on("stream", (stream) => {
          stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
          stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
          stream.end(Buffer.from([0, 0, 0, 0, 2, 8, isHealthy ? 1 : 2]));
        });
        ports.listen(5000, (connection) => server.emit("connection", connection));
        await once(signal, "abort");
      },
    });
    await pods.run("p", { image: "grpc:1", readinessProbe: { grpc: { port: 5000 }, periodSeconds: 1 } });
    await expect
      .poll(async () => {
        clock.step(1000);
        return await eventsOf("Unhealthy");
      })
      .toContain('Readiness probe failed: service unhealthy (responded with "NOT_SERVING")');
    isHealthy = true;
    await passUntil("p", READY);
  });

  it("do not run for images without `probes`", async () => {
    pods.cluster.images.define("app:*", { run: serveHealth });
    await pods.run("p", { readinessProbe: { ...HTTP, periodSeconds: 1 } });
    const { status } = await pods.eventually("p", READY);
    expect(status.phase).toBe("Running");
  });
});

describe("liveness probes", () => {
  it("restart a container after as many failures as the threshold", async () => {
    isHealthy = true;
    const livenessProbe = { exec: { command: ["check"] }, periodSeconds: 1, failureThreshold: 2 };
    await pods.run("p", { livenessProbe });
    await pods.eventually("p", READY);
    isHealthy = false;
    await passUntil("p", { status: { containerStatuses: [{ restartCount: 1 }] } });
    await expect
      .poll(async () => await eventsOf("Killing"))
      .toContain("Container c failed liveness probe, will be restarted");
  });

  it("end a process that does not stop when its grace period is over", async () => {
    pods.cluster.images.define("app:*", { probes: true, run: async () => await new Promise(() => undefined) });
    const livenessProbe = { tcpSocket: { port: 80 }, periodSeconds: 1, failureThreshold: 1 };
    await pods.run("p", { livenessProbe }, { terminationGracePeriodSeconds: 5 });
    await passUntil("p", {
      status: { containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 137 } } }] },
    });
    expect(await eventsOf("Killing")).toContain("Container c failed liveness probe, will be restarted");
  });
});

describe("startup probes", () => {
  it("hold the others back until they succeed", async () => {
    const probes = { startupProbe: { ...HTTP, periodSeconds: 1, failureThreshold: 100 }, readinessProbe: HTTP };
    await pods.run("p", probes);
    await expect
      .poll(async () => {
        clock.step(1000);
        return await eventsOf("Unhealthy");
      })
      .toContain("Startup probe failed: HTTP probe failed with statuscode: 500");
    expect((await pods.pod("p")).status.containerStatuses).toMatchObject([{ started: false, ready: false }]);
    isHealthy = true;
    await passUntil("p", { status: { containerStatuses: [{ started: true, ready: true }] } });
    const messages = await eventsOf("Unhealthy");
    expect(messages.every((message) => message.startsWith("Startup"))).toBe(true);
  });

  it("name what they could not reach", async () => {
    const exec = { command: ["hang"] };
    pods.cluster.images.define("app:*", { probes: true, exec: async () => await new Promise<number>(() => undefined) });
    const probes = {
      http: { httpGet: { port: 81 } },
      elsewhere: { httpGet: { port: 81, host: "10.9.9.9" } },
      tcp: { tcpSocket: { port: 81 } },
      grpc: { grpc: { port: 81 } },
      exec: { exec, timeoutSeconds: 90, periodSeconds: 200 },
    };
    for (const [name, probe] of Object.entries(probes))
      await pods.run(name, { readinessProbe: { periodSeconds: 1, ...probe } });
    const refused = "connect: connection refused";
    await expect
      .poll(
        async () => {
          clock.step(30_000);
          return await eventsOf("Unhealthy");
        },
        { timeout: 10_000, interval: 5 },
      )
      .toEqual(
        expect.arrayContaining([
          `Readiness probe failed: Get "http://10.244.0.2:81/": dial tcp 10.244.0.2:81: ${refused}`,
          `Readiness probe failed: Get "http://10.9.9.9:81/": dial tcp 10.9.9.9:81: ${refused}`,
          `Readiness probe failed: dial tcp 10.244.0.4:81: ${refused}`,
          'Readiness probe failed: timeout: failed to connect service "10.244.0.5:81" within 1s: context deadline exceeded',
          'Readiness probe failed: command timed out: "hang" timed out after 1m30s',
        ]),
      );
  });

  it("do not count if the image does not have their program", async () => {
    pods.cluster.images.define("app:*", { probes: true, programs: ["check"], exec: () => 0 });
    const livenessProbe = { exec: { command: ["/bin/sh", "-c", "check"] }, periodSeconds: 1, failureThreshold: 1 };
    await pods.run("p", { livenessProbe });
    const message = expect.stringMatching(
      /^Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[\da-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "\/bin\/sh": stat \/bin\/sh: no such file or directory: unknown$/u,
    );
    await expect
      .poll(
        async () => {
          clock.step(1000);
          return await eventsOf("Unhealthy");
        },
        { timeout: 10_000, interval: 5 },
      )
      .toContainEqual(message);
    expect(await pods.pod("p")).toMatchObject(READY);
    expect(await eventsOf("Killing")).toEqual([]);
  });

  it("do not count if their port has no number", async () => {
    const livenessProbe = { httpGet: { port: "unknown" }, periodSeconds: 1, failureThreshold: 1 };
    await pods.run("p", { livenessProbe });
    const message =
      'Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "unknown": invalid syntax';
    await expect
      .poll(
        async () => {
          clock.step(1000);
          return await eventsOf("Unhealthy");
        },
        { timeout: 10_000, interval: 5 },
      )
      .toEqual([message]);
    expect(await pods.pod("p")).toMatchObject(READY);
    expect(await eventsOf("Killing")).toEqual([]);
  });
});

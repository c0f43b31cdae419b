import { once } from "node:events";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { MainProcess } from "../../../src/kubelet/containers/image-definitions.ts";
import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

const MINUTE_MS = 60_000;

let pods: Simulation;

beforeEach(() => {
  pods = simulation();
});

afterEach(async () => pods.cluster.close());

async function startedProcess(): Promise<MainProcess> {
  const started = new Promise<MainProcess>((resolve) => {
    pods.cluster.images.define("app:*", async (process) => {
      resolve(process);
      await once(process.signal, "abort");
    });
  });
  await pods.run("p");
  return await started;
}

async function logOf(query: string, pod: string = "p"): Promise<unknown> {
  const { status, body } = await pods.admin.get(`${PODS}/${pod}/log${query}`);
  return status === 200 ? body["text"] : { status, message: body["message"] };
}

describe("the log of a container", () => {
  it("contains complete lines of both streams in order", async () => {
    const { log, stdout, stderr } = await startedProcess();
    log("one");
    stderr.write("two\nthr");
    stdout.write(Buffer.from([0x66, 0x6f]));
    stdout.write("ur\n");
    stderr.write("ee\n");
    expect(await logOf("")).toBe("one\ntwo\nfour\nthree\n");
  });

  it("is limited by number of lines, bytes, and age, and has timestamps on request", async () => {
    const clock = new FakeClock();
    await pods.cluster.close();
    pods = simulation(clock);
    const { log } = await startedProcess();
    const start = clock.now();
    for (const line of ["one", "two", "three"]) {
      log(line);
      clock.step(MINUTE_MS);
    }
    expect(await logOf("?tailLines=2")).toBe("two\nthree\n");
    expect(await logOf("?tailLines=0")).toBe("");
    expect(await logOf("?limitBytes=6")).toBe("one\ntw");
    expect(await logOf("?sinceSeconds=90")).toBe("three\n");
    expect(await logOf(`?sinceTime=${new Date(start + MINUTE_MS).toISOString()}`)).toBe("two\nthree\n");
    expect(await logOf(`?tailLines=1&timestamps=true`)).toBe(
      `${new Date(start + 2 * MINUTE_MS).toISOString().slice(0, -1)}000000Z three\n`,
    );
  });

  it("of the previous run is kept", async () => {
    let runs = 0;
    pods.cluster.images.define("app:*", async ({ log, signal }) => {
      runs += 1;
      log(`run ${String(runs)}`);
      if (runs > 1) await once(signal, "abort");
    });
    await pods.run("p");
    await pods.eventually("p", { status: { containerStatuses: [{ restartCount: 1, state: { running: {} } }] } });
    expect(await logOf("?previous=true")).toBe("run 1\n");
    expect(await logOf("")).toBe("run 2\n");
  });

  it("is followed until the container ends", async () => {
    const { log } = await startedProcess();
    log("before");
    const { transport } = pods.cluster.config;
    const { credentials } = pods.cluster.config;
    const token = credentials?.kind === "token" ? credentials.token : "";
    const request = new Request(`http://cluster${PODS}/p/log?follow=true`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const response = await transport?.(request);
    const text = response?.text();
    log("after");
    await pods.admin.delete(`${PODS}/p`);
    expect(await text).toBe("before\nafter\n");
  });

  it("keeps the last ten mebibytes at most", async () => {
    const { stdout } = await startedProcess();
    const line = `${"x".repeat(1023)}\n`;
    for (let index = 0; index < 12; index += 1) {
      await new Promise((resolve) => {
        stdout.write(line.repeat(1024), resolve);
      });
    }
    const text = String(await logOf(""));
    expect(text.length).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(text.endsWith(line)).toBe(true);
  });

  it("of a Pod that is not scheduled is empty", async () => {
    await pods.cluster.server.close();
    const { status } = await pods.admin.post(PODS, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "unscheduled" },
      spec: { containers: [{ name: "c", image: "x" }] },
    });
    expect(status).toBe(201);
    expect((await pods.admin.get(`${PODS}/unscheduled/log`)).status).toBe(204);
  });

  // The answers of kube-apiserver 1.35.4.
  it.each([
    ["?container=x", 400, "container x is not valid for pod p"],
    ["?tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ["?tailLines=", 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      "?sinceTime=yesterday",
      400,
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      "?tailLines=-1",
      422,
      'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    ["?limitBytes=0", 422, 'PodLogOptions "p" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
    ["?sinceSeconds=0", 422, 'PodLogOptions "p" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
    [
      "?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z",
      422,
      'PodLogOptions "p" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ["?stream=All", 422, 'PodLogOptions "p" is invalid: stream: Forbidden: may not be specified'],
    [
      "?tailLines=-1&limitBytes=0",
      422,
      'PodLogOptions "p" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]',
    ],
    ["?previous=true", 400, 'previous terminated container "c" in pod "p" not found'],
  ])("is refused for %s", async (query, status, message) => {
    await startedProcess();
    expect(await logOf(query)).toEqual({ status, message });
  });

  it("is refused without a Pod, and without a name if there are several containers", async () => {
    await pods.run(
      "two",
      {},
      { containers: ["a", "b"].map((name) => ({ name, image: "x" })), initContainers: [{ name: "i", image: "x" }] },
    );
    expect(await logOf("", "none")).toEqual({ status: 404, message: 'pods "none" not found' });
    expect(await logOf("", "two")).toEqual({
      status: 400,
      message: "a container name must be specified for pod two, choose one of: [i a b]",
    });
  });

  it("of an image without a definition is refused with the reason", async () => {
    await pods.run("p");
    await vi.waitFor(async () =>
      expect(await logOf("")).toEqual({ status: 501, message: expect.stringContaining("images.define") as string }),
    );
  });
});

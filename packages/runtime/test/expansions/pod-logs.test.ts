import type { ServerResponse } from "node:http";

import { afterEach, describe, expect, it } from "vitest";

import { type PodLogOptions, podLogs, type PodLogs } from "../../src/expansions/pod-logs.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { type Answer, type RecordingServer, sendJson, startServer, until } from "../rest/recording-server.ts";

const POD = { namespace: "default", name: "web-0" };
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function setUp(answer: Answer, options: PodLogOptions = {}): Promise<{ server: RecordingServer; logs: PodLogs }> {
  const server = await startServer(answer);
  const rest = createRestClient({ server: server.url }, { log: silentLogger });
  cleanUps.push(
    () => server.close(),
    () => rest.close(),
  );
  return { server, logs: podLogs(rest, POD, options) };
}

describe("logs of pods", () => {
  it("all options are query parameters", async () => {
    const { server, logs } = await setUp((response) => void response.end("hello\n"), {
      container: "app",
      previous: true,
      sinceSeconds: 30,
      tailLines: 0,
      timestamps: false,
      limitBytes: 100,
    });
    expect(await logs.text()).toBe("hello\n");
    const url = new globalThis.URL(server.requests[0]?.url ?? "", server.url);
    expect(url.pathname).toBe("/api/v1/namespaces/default/pods/web-0/log");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      container: "app",
      previous: "true",
      sinceSeconds: "30",
      tailLines: "0",
      limitBytes: "100",
    });
  });

  it("nothing is requested before the logs are read", async () => {
    const { server } = await setUp((response) => void response.end(""));
    expect(server.requests).toEqual([]);
  });

  it("lines arrive as the container prints them, also across chunks and characters", async () => {
    let open: ServerResponse | undefined;
    const { logs } = await setUp(
      (response) => {
        open = response;
        response.write("first\nsec");
      },
      { follow: true },
    );
    const lines = logs.lines()[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: "first" });
    const [head, tail] = [Buffer.from("ond ✓\n\nlast").subarray(0, 5), Buffer.from("ond ✓\n\nlast").subarray(5)];
    open?.write(head);
    open?.write(tail);
    expect(await lines.next()).toEqual({ done: false, value: "second ✓" });
    expect(await lines.next()).toEqual({ done: false, value: "" });
    open?.end();
    expect(await lines.next()).toEqual({ done: false, value: "last" });
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  });

  it("leaving the iteration closes the connection", async () => {
    let isClosed = false;
    const { logs } = await setUp(
      (response) => {
        response.on("close", () => (isClosed = true));
        response.write("first\n");
      },
      { follow: true },
    );
    for await (const line of logs.lines()) {
      expect(line).toBe("first");
      break;
    }
    await until(() => isClosed);
  });

  it("canceling the stream closes the connection", async () => {
    let isClosed = false;
    const { logs } = await setUp(
      (response) => {
        response.on("close", () => (isClosed = true));
        response.write("first\n");
      },
      { follow: true },
    );
    const reader = logs.stream().getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("first\n");
    await reader.cancel();
    await until(() => isClosed);
  });

  it("the signal ends the wait for output with its reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const { logs } = await setUp((response) => void response.write("first\n"), {
      follow: true,
      signal: controller.signal,
    });
    const lines = logs.lines()[Symbol.asyncIterator]();
    await lines.next();
    controller.abort(reason);
    await expect(lines.next()).rejects.toBe(reason);
  });

  it.each(["text", "lines"] as const)("the server's refusal is thrown by %s", async (method) => {
    const status = { kind: "Status", status: "Failure", code: 404, reason: "NotFound", message: "no such pod" };
    const { logs } = await setUp((response) => sendJson(response, status, 404));
    const read = async (): Promise<unknown> =>
      method === "text" ? await logs.text() : await logs.lines()[Symbol.asyncIterator]().next();
    await expect(read()).rejects.toMatchObject({ status: { reason: "NotFound" } });
  });
});

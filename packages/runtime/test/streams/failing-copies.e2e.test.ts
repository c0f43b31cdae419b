import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";

import { pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";

import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { copyFromPod, type CopyFromPodOptions } from "../../src/streams/copy-from-pod.ts";

const POD = { namespace: "default", name: "p" };
const COPIES = 400;
const AT_A_TIME = 20;
type Header = Parameters<ReturnType<typeof pack>["entry"]>[0];

let server: WebSocketServer;
let rest: RestClient;
let folder: string;
let answer: (socket: WebSocket) => void;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "failing-copies-"));
  server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "v5.channel.k8s.io" });
  await once(server, "listening");
  server.on("connection", (socket) => answer(socket));
  rest = createRestClient({ server: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});

afterEach(async () => {
  process.off("unhandledRejection", note);
  await rest.close();
  for (const client of server.clients) client.terminate();
  server.close();
  await rm(folder, { recursive: true });
});

async function archiveOf(...headers: readonly Header[]): Promise<Buffer> {
  const stream = pack();
  for (const header of headers) {
    if (header.type === undefined) stream.entry({ ...header }, "content");
    else stream.entry({ ...header });
  }
  stream.finalize();
  return await buffer(stream);
}

const SUCCESS = '{"metadata":{},"status":"Success"}';
const FAILURE =
  '{"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"2"}]}}';

// Without a status, the command waits for the end of the connection.
function send(archive: Buffer, status?: string): (socket: WebSocket) => void {
  return (socket) => {
    socket.send(Buffer.concat([Buffer.from([1]), archive]));
    if (status === undefined) return;
    socket.send(Buffer.concat([Buffer.from([3]), Buffer.from(status)]));
    socket.close(1000);
  };
}

interface FailingWay {
  readonly entries: readonly Header[];
  readonly change?: (archive: Buffer) => Buffer;
  readonly answer?: (archive: Buffer) => (socket: WebSocket) => void;
  readonly options?: () => Partial<CopyFromPodOptions>;
  readonly hasFile?: boolean;
}

const FOLDER: Header = { name: "src/", type: "directory" };
const FILE: Header = { name: "src/good" };

const WAYS: Readonly<Record<string, FailingWay>> = {
  "a refused archive": { entries: [FOLDER, FILE, { name: "src/../../escaped" }] },
  "a refused type": { entries: [FOLDER, { name: "src/pipe", type: "fifo" }] },
  "a file of this machine where the archive has a folder": { entries: [FOLDER, FILE], hasFile: true },
  "no archive": { entries: [], change: () => Buffer.alloc(1024, "no archive") },
  "an archive that is cut off": {
    entries: [FOLDER, FILE],
    answer: (archive) => send(archive.subarray(0, 1100), SUCCESS),
  },
  "a command that fails": { entries: [FOLDER, FILE], answer: (archive) => send(archive, FAILURE) },
  "a refused archive of a command that fails": {
    entries: [{ name: "/escaped" }],
    answer: (archive) => send(archive, FAILURE),
  },
  "a connection that ends": { entries: [], answer: () => (socket) => socket.terminate() },
  "a signal that aborts": {
    entries: [FOLDER, FILE],
    options: () => {
      const stopping = new AbortController();
      return { signal: stopping.signal, onProgress: () => stopping.abort(new Error("enough")) };
    },
  },
  "a report of progress that throws": {
    entries: [FOLDER, FILE],
    options: () => ({
      onProgress: () => {
        throw new Error("no terminal");
      },
    }),
  },
  "a report of links that throws": {
    entries: [FOLDER, { name: "src/link", type: "symlink", linkname: "x" }],
    options: () => ({
      onSkippedLink: () => {
        throw new Error("no terminal");
      },
    }),
  },
};

describe("copyFromPod", () => {
  it.each(Object.entries(WAYS))("guarantee 26: rejects nothing but the promise of the caller: %s", async (_, way) => {
    const archive = (way.change ?? ((each: Buffer) => each))(await archiveOf(...way.entries));
    answer = way.answer?.(archive) ?? send(archive);
    if (way.hasFile === true) await writeFile(path.join(folder, "target"), "file");
    let rejected = 0;
    for (let start = 0; start < COPIES; start += AT_A_TIME) {
      const copies = Array.from({ length: AT_A_TIME }, async (_each, index) => {
        const target = path.join(folder, way.hasFile === true ? "target" : `target-${String(index)}`);
        await copyFromPod(rest, POD, { source: "/src", target, ...way.options?.() });
      });
      const ends = await Promise.allSettled(copies);
      rejected += ends.filter(({ status }) => status === "rejected").length;
    }
    // Node reports a rejection without a handler after the microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toHaveLength(0);
    expect(rejected).toBe(COPIES);
  });
});

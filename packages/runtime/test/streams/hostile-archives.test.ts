import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";

import { pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";

import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { copyFromPod } from "../../src/streams/copy-from-pod.ts";

const POD = { namespace: "default", name: "p" };
type Header = Parameters<ReturnType<typeof pack>["entry"]>[0];

let server: WebSocketServer;
let rest: RestClient;
let folder: string;
let target: string;
let archive: Buffer;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hostile-"));
  target = path.join(folder, "target");
  server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "v5.channel.k8s.io" });
  await once(server, "listening");
  server.on("connection", (socket) => {
    for (let start = 0; start < archive.length; start += CHUNK) {
      socket.send(Buffer.concat([Buffer.from([1]), archive.subarray(start, start + CHUNK)]));
    }
    socket.send(Buffer.concat([Buffer.from([3]), Buffer.from('{"metadata":{},"status":"Success"}')]));
    socket.close(1000);
  });
  rest = createRestClient({ server: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
});

afterEach(async () => {
  await rest.close();
  for (const client of server.clients) client.terminate();
  server.close();
  await rm(folder, { recursive: true });
});

const CHUNK = 32 * 1024;

async function archiveOf(...entries: readonly (readonly [Header, string?])[]): Promise<Buffer> {
  const stream = pack();
  for (const [header, content = ""] of entries) {
    if (header.type === undefined || header.type === "file") stream.entry(header, content);
    else stream.entry(header);
  }
  stream.finalize();
  return await buffer(stream);
}

describe("copyFromPod with a hostile container", () => {
  it.each<[string, Header]>([
    ["a path that leads upwards", { name: "src/../../escaped" }],
    ["a path that leads upwards and back", { name: "src/../src/escaped" }],
    ["an absolute path", { name: "/src/escaped" }],
    ["a path outside the source", { name: "other/escaped" }],
    ["a path that only begins like the source", { name: "src-escaped" }],
    ["a folder outside the source", { name: "src/../../escaped/", type: "directory" }],
    ["a hard link that leads out", { name: "src/escaped", type: "link", linkname: "src/../../outside" }],
    ["an absolute hard link", { name: "src/escaped", type: "link", linkname: "/etc/passwd" }],
    ["a hard link to a missing file", { name: "src/escaped", type: "link", linkname: "src/none" }],
    ["a character device", { name: "src/escaped", type: "character-device" }],
    ["a block device", { name: "src/escaped", type: "block-device" }],
    ["a named pipe", { name: "src/escaped", type: "fifo" }],
  ])("guarantee 20: refuses %s", async (_what, header) => {
    await writeFile(path.join(folder, "outside"), "outside");
    archive = await archiveOf([{ name: "src/", type: "directory" }], [{ name: "src/good" }, "good"], [header, "bad"]);
    await expect(copyFromPod(rest, POD, { source: "/src", target })).rejects.toMatchObject({
      code: "STREAM_ARCHIVE_REFUSED",
      entry: header.name,
    });
    expect((await readdir(folder)).toSorted()).toEqual(["outside", "target"]);
    expect(await readdir(target)).toEqual(["good"]);
  });

  it("writes through no link of the archive, and none of this machine", async () => {
    const outside = path.join(folder, "outside");
    await mkdir(outside);
    archive = await archiveOf([{ name: "src/l", type: "symlink", linkname: outside }], [{ name: "src/l/f" }, "inside"]);
    await copyFromPod(rest, POD, { source: "/src", target });
    expect(await readFile(path.join(target, "l/f"), "utf8")).toBe("inside");
    await rm(target, { recursive: true });
    await mkdir(target);
    await symlink(outside, path.join(target, "l"));
    await expect(copyFromPod(rest, POD, { source: "/src", target })).rejects.toMatchObject({
      code: "STREAM_ARCHIVE_REFUSED",
    });
    await symlink(path.join(outside, "g"), path.join(target, "f"));
    archive = await archiveOf([{ name: "src/f" }, "inside"]);
    await copyFromPod(rest, POD, { source: "/src", target });
    expect(await readFile(path.join(target, "f"), "utf8")).toBe("inside");
    expect(await readdir(outside)).toEqual([]);
  });

  it("keeps neither setuid bits nor more permissions than the umask", async () => {
    archive = await archiveOf([{ name: "f", mode: 0o6777 }, "x"]);
    await copyFromPod(rest, POD, { source: "f", target });
    expect((await stat(target)).mode & 0o7777).toBe(0o777 & ~process.umask());
  });

  it("bounds the memory of headers", async () => {
    const header = await archiveOf([{ name: "n".repeat(200) }, ""]);
    // The header of the extended header claims 1 GiB.
    const first = Buffer.from(header.subarray(0, 512));
    first.write(`${(1024 ** 3).toString(8)}\0`, 124, "latin1");
    first.fill(" ", 148, 156);
    const sum = first.reduce((total, byte) => total + byte, 0);
    first.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    archive = Buffer.concat([first, Buffer.alloc(8 * 1024 * 1024, "x")]);
    await expect(copyFromPod(rest, POD, { source: "f", target })).rejects.toThrow("Header exceeds max size");
  });

  it.each([
    ["is empty", 0, "the archive of the container is empty"],
    ["is cut off in a file", 700, "is incomplete"],
    ["is no archive", -1, "Invalid tar header"],
  ])("fails if the archive %s, and leaves no file", async (_what, length, message) => {
    const whole = await archiveOf([{ name: "f" }, "x".repeat(4096)]);
    archive = length < 0 ? Buffer.alloc(1024, "no archive") : whole.subarray(0, length);
    await expect(copyFromPod(rest, POD, { source: "f", target })).rejects.toThrow(message);
    expect(await readdir(folder)).toEqual([]);
  });
});

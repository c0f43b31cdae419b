import { gunzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { digestOf } from "../../src/image/descriptor.ts";
import { createLayer } from "../../src/image/layer.ts";
import { unpack } from "../support/read-image.ts";

const FILES = [
  { path: "/app/b/manager.mjs", bytes: Buffer.from("b") },
  { path: "/app/a.txt", bytes: Buffer.from("a") },
];

describe("createLayer", () => {
  it("has the folders of its files before them, in one order however they come", async () => {
    const layer = await createLayer(FILES, new Date(0));
    const turned = await createLayer(FILES.toReversed(), new Date(0));
    expect(turned).toEqual(layer);
    const files = await unpack(Buffer.from(layer.content.bytes));
    expect([...files.keys()]).toEqual(["app/", "app/b/", "app/a.txt", "app/b/manager.mjs"]);
    expect([...files.values()].map(({ header }) => [header.type, header.mode, header.uid, header.mtime])).toEqual([
      ["directory", 0o755, 0, new Date(0)],
      ["directory", 0o755, 0, new Date(0)],
      ["file", 0o644, 0, new Date(0)],
      ["file", 0o644, 0, new Date(0)],
    ]);
  });

  it("has a compressed form whose header tells neither time nor system", async () => {
    const { content, diffId } = await createLayer(FILES, new Date(1_700_000_000_000));
    expect([...content.bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
    expect(digestOf(gunzipSync(content.bytes))).toBe(diffId);
    expect(content.descriptor).toEqual({
      mediaType: "application/vnd.oci.image.layer.v1.tar+gzip",
      digest: digestOf(content.bytes),
      size: content.bytes.byteLength,
    });
  });
});

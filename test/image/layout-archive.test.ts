import { gzipSync } from "node:zlib";

import { expect, it } from "vitest";

import { packLayout, readArchive } from "../../src/image/layout-archive.ts";

async function archiveOf(bytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const entries = (async function* () {
    yield { path: "blobs/zeros", bytes: new Uint8Array(bytes) };
  })();
  for await (const part of packLayout(entries, new Date(0))) parts.push(part);
  return gzipSync(Buffer.concat(parts));
}

it("an archive is unpacked up to a limit", async () => {
  const archive = await archiveOf(1_000_000);
  expect(archive.byteLength).toBeLessThan(10_000);
  const files = await readArchive("base.tar.gz", archive, 2_000_000);
  expect((await files.read("blobs/zeros"))?.byteLength).toBe(1_000_000);
  await expect(readArchive("base.tar.gz", archive, 500_000)).rejects.toMatchObject({
    message: "cannot build on base.tar.gz: the archive has more than 500000 bytes when it is unpacked",
  });
});

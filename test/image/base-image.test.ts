import { describe, expect, it } from "vitest";

import { parsePlatforms, readBaseImages } from "../../src/image/base-image.ts";
import type { Descriptor } from "../../src/image/descriptor.ts";
import { createJsonContent } from "../../src/image/descriptor.ts";
import type { ImageSource } from "../../src/image/image-source.ts";
import { makeBase, type TestBase } from "../support/test-base.ts";

function sourceOf({ root, manifests, blobs }: TestBase): ImageSource {
  const all = new Map([root, ...manifests, ...blobs].map(({ digest, bytes }) => [digest, bytes]));
  const read = async ({ digest }: Descriptor): Promise<Uint8Array> => all.get(digest) ?? new Uint8Array();
  const { mediaType, digest, bytes } = root;
  return { name: "base", root: { mediaType, digest, size: bytes.byteLength }, readManifest: read, readBlob: read };
}

const read = async (base: TestBase, ...platforms: readonly string[]): Promise<readonly string[]> => {
  const { images, isIndex } = await readBaseImages(sourceOf(base), parsePlatforms(platforms));
  return [...images.map(({ platform }) => platform.architecture), ...(isIndex ? ["as an index"] : [])];
};

const DESCRIPTOR = { mediaType: "x", digest: `sha256:${"0".repeat(64)}`, size: 1 };

describe("readBaseImages", () => {
  it("takes all that run Linux of an index, and omits what builders attach", async () => {
    const base = await makeBase({ architectures: ["amd64", "arm64"] });
    expect(await read(base)).toEqual(["amd64", "arm64", "as an index"]);
    expect(await read(base, "all")).toEqual(["amd64", "arm64", "as an index"]);
  });

  it("takes what is asked for, in that order, and one alone without an index", async () => {
    const base = await makeBase({ architectures: ["amd64", "arm64", "s390x"] });
    expect(await read(base, "linux/s390x", "linux/amd64")).toEqual(["s390x", "amd64", "as an index"]);
    expect(await read(base, "linux/arm64/v8")).toEqual(["arm64"]);
  });

  it("takes a single image for what its configuration says", async () => {
    const base = await makeBase();
    expect(await read(base)).toEqual(["amd64"]);
    expect(await read(base, "linux/amd64")).toEqual(["amd64"]);
    await expect(read(base, "linux/arm64")).rejects.toMatchObject({
      code: "IMAGE_PLATFORM",
      hint: "use one of linux/amd64",
    });
  });

  it.each(["linux/riscv64", "windows/amd64", "linux/arm64/v9"])("has no image for %s", async (platform) => {
    const base = await makeBase({ architectures: ["amd64", "arm64"] });
    await expect(read(base, platform)).rejects.toMatchObject({ code: "IMAGE_PLATFORM" });
  });

  it.each([
    [{ schemaVersion: 1 }, "schema 1"],
    [{ config: {} }, "lacks required digests"],
    [{ config: DESCRIPTOR, layers: [{ ...DESCRIPTOR, size: -1 }] }, "lacks required digests"],
    [{ config: DESCRIPTOR, layers: [{ ...DESCRIPTOR, size: 1e300 }] }, "lacks required digests"],
    [{ config: { ...DESCRIPTOR, size: 2 ** 23 + 1 }, layers: [] }, "the limit is 8388608"],
    [[], "not an object"],
  ])("refuses the manifest %j", async (value, message) => {
    const { descriptor, bytes } = createJsonContent(value, "application/vnd.oci.image.manifest.v1+json");
    const give = async (): Promise<Uint8Array> => bytes;
    const source = { name: "base", root: descriptor, readManifest: give, readBlob: give };
    await expect(readBaseImages(source, [])).rejects.toThrow(message);
  });
});

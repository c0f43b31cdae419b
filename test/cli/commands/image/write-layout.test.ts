import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { writeLayoutArchive, writeLayoutFolder } from "../../../../src/cli/commands/image/write-layout.ts";
import type { Image } from "../../../../src/image/build-image.ts";
import { createContent, createJsonContent } from "../../../../src/image/descriptor.ts";
import { DigestMismatchError } from "../../../../src/image/errors.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

function imageOf(text: string, read?: () => Promise<Uint8Array>): Image {
  const config = createContent(Buffer.from(text), "application/vnd.oci.image.config.v1+json");
  const root = createJsonContent({ schemaVersion: 2, config: config.descriptor, layers: [] }, MANIFEST);
  const blob = { descriptor: config.descriptor, read: read ?? (async () => config.bytes) };
  return { root, manifests: [], blobs: [blob], referrers: [], attachments: [] };
}

const broken = (): Promise<Uint8Array> => Promise.reject(new DigestMismatchError("broken"));
const modifiedAt = new Date(0);

describe("writing a layout", () => {
  it("replaces an image as a whole, with none of the former one left", async () => {
    const target = path.join(temporaryFolder(), "image");
    await writeLayoutFolder({ image: imageOf("one"), names: [], target });
    await writeLayoutFolder({ image: imageOf("two"), names: [], target });
    const files = readFiles(target);
    expect(Object.values(files)).toContain("two");
    expect(Object.values(files)).not.toContain("one");
  });

  it("leaves folder and archive as they were when the image cannot be read", async () => {
    const root = temporaryFolder();
    const [target, archive] = [path.join(root, "image"), path.join(root, "image.tar")];
    await writeLayoutFolder({ image: imageOf("one"), names: [], target });
    await writeLayoutArchive({ image: imageOf("one"), names: [], target: archive }, { modifiedAt });
    const before = [readFiles(target), readFileSync(archive, "latin1")];
    const image = imageOf("two", broken);
    await expect(writeLayoutFolder({ image, names: [], target })).rejects.toMatchObject({ code: "IMAGE_DIGEST" });
    await expect(writeLayoutArchive({ image, names: [], target: archive }, { modifiedAt })).rejects.toMatchObject({
      code: "IMAGE_DIGEST",
    });
    expect([readFiles(target), readFileSync(archive, "latin1")]).toEqual(before);
    expect(readdirSync(root).toSorted()).toEqual(["image", "image.tar"]);
  });

  it("touches no folder that holds other things, and no folder where a file is wanted", async () => {
    const target = temporaryFolder({ "notes.txt": "mine" });
    const image = imageOf("one");
    await expect(writeLayoutFolder({ image, names: [], target })).rejects.toMatchObject({ code: "IMAGE_TARGET" });
    await expect(writeLayoutArchive({ image, names: [], target }, { modifiedAt })).rejects.toMatchObject({
      code: "IMAGE_TARGET",
    });
    expect(readFiles(target)).toEqual({ "notes.txt": "mine" });
  });

  it("writes into an empty folder, and says why where the disk does not let it", async () => {
    const root = temporaryFolder({ file: "" });
    mkdirSync(path.join(root, "empty"));
    await writeLayoutFolder({ image: imageOf("one"), names: [], target: path.join(root, "empty") });
    expect(existsSync(path.join(root, "empty", "index.json"))).toBe(true);
    writeFileSync(path.join(root, "blocked"), "");
    const target = path.join(root, "blocked", "image");
    await expect(writeLayoutFolder({ image: imageOf("one"), names: [], target })).rejects.toMatchObject({
      code: "SCAFFOLD_DISK",
    });
  });
});

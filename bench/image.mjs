// The layer that `scaffold image` puts on its base: the bundled manager of the Guestbook project, compressed.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { printWhenMain, rowOf, timeProgram } from "./measuring.mjs";
import { builtProgram, copyGuestbook, inTemporaryFolder } from "./places.mjs";

const OCI = "application/vnd.oci.image";

export function measureImage() {
  return inTemporaryFolder(async (folder) => {
    const project = copyGuestbook(path.join(folder, "guestbook"));
    writeEmptyBase(path.join(project, "base"));
    const args = ["image", "--base", "base", "--tag", "guestbook:v1"];
    timeProgram(process.execPath, [builtProgram(), ...args], { cwd: project });
    const layout = path.join(project, "dist", "image");
    const [{ digest }] = readJson(path.join(layout, "index.json")).manifests;
    const { layers } = readJson(path.join(layout, "blobs", ...digest.split(":")));
    const ours = [layers.at(-1).size / 1e6];
    return [rowOf({ title: "the layer of `scaffold image`, compressed", ours, max: 3, unit: "MB" })];
  });
}

// A layout with one image that has nothing inside but says that it has Node.
function writeEmptyBase(folder) {
  const blobs = path.join(folder, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const add = (mediaType, value) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const hash = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(path.join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const platform = { os: "linux", architecture: "amd64" };
  const config = add(`${OCI}.config.v1+json`, {
    ...platform,
    config: { Entrypoint: ["/nodejs/bin/node"] },
    rootfs: { type: "layers", diff_ids: [] },
    history: [],
  });
  const manifestType = `${OCI}.manifest.v1+json`;
  const manifest = add(manifestType, { schemaVersion: 2, mediaType: manifestType, config, layers: [] });
  writeFileSync(path.join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(
    path.join(folder, "index.json"),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, platform }] }),
  );
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

await printWhenMain(import.meta.url, measureImage);

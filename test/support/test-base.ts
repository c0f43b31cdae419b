import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { pack } from "tar-stream";

import type { TestRegistry } from "./test-registry.ts";

/** A base image that a test makes: one layer for each platform, with a file that names the platform. */
export interface TestBase {
  readonly root: TestContent;
  readonly manifests: readonly TestContent[];
  readonly blobs: readonly TestContent[];
}

/** Bytes with their digest. */
interface TestContent {
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Buffer;
  readonly platform?: { readonly os: string; readonly architecture: string };
}

interface BaseOptions {
  readonly architectures?: readonly string[];
  /** Whether manifests have the media types that Docker gave them first. */
  readonly isDocker?: boolean;
  readonly isIndex?: boolean;
  /** What it starts. */
  readonly program?: string;
}

const OCI = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};
const DOCKER = {
  index: "application/vnd.docker.distribution.manifest.list.v2+json",
  manifest: "application/vnd.docker.distribution.manifest.v2+json",
  config: "application/vnd.docker.container.image.v1+json",
  layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
};

/** Makes a base image. */
export async function makeBase(options: BaseOptions = {}): Promise<TestBase> {
  const { architectures = ["amd64"], isDocker = false, isIndex = architectures.length > 1 } = options;
  const { program = "/nodejs/bin/node" } = options;
  const types = isDocker ? DOCKER : OCI;
  const images = await Promise.all(architectures.map((architecture) => makeOne({ architecture, types, program })));
  const manifests = images.map(({ manifest }) => manifest);
  const [first] = manifests;
  if (first === undefined) throw new Error("a base needs an architecture");
  const attested = { ...first, platform: { os: "unknown", architecture: "unknown" } };
  const index = contentOf(
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: types.index,
        manifests: [...manifests, attested].map((each) => descriptorOf(each)),
      }),
    ),
    types.index,
  );
  return { root: isIndex ? index : first, manifests, blobs: images.flatMap(({ blobs }) => blobs) };
}

interface OneOptions {
  readonly architecture: string;
  readonly types: typeof OCI;
  readonly program: string;
}

async function makeOne({
  architecture,
  types,
  program,
}: OneOptions): Promise<{ readonly manifest: TestContent; readonly blobs: readonly TestContent[] }> {
  const archive = pack();
  archive.entry({ name: "etc/platform", mtime: new Date(0) }, architecture);
  archive.finalize();
  const tar = await buffer(archive);
  const layer = contentOf(gzipSync(tar), types.layer);
  const config = contentOf(
    Buffer.from(
      JSON.stringify({
        os: "linux",
        architecture,
        config: {
          Entrypoint: [program],
          Env: ["PATH=/bin", "NODE_ENV=none"],
          Cmd: ["sh"],
          User: "0",
          Labels: { "base.label": "kept" },
        },
        rootfs: { type: "layers", diff_ids: [digestOf(tar)] },
        history: [{ created_by: "base" }],
      }),
    ),
    types.config,
  );
  const manifest = contentOf(
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: types.manifest,
        config: descriptorOf(config),
        layers: [descriptorOf(layer)],
      }),
    ),
    types.manifest,
  );
  return { manifest: { ...manifest, platform: { os: "linux", architecture } }, blobs: [config, layer] };
}

/** Puts a base into a repository of a registry. */
export function storeBase(registry: TestRegistry, name: string, tag: string, base: TestBase): void {
  const { blobs, manifests } = registry.repository(name);
  for (const { digest, bytes } of base.blobs) blobs.set(digest, bytes);
  for (const { digest, bytes, mediaType } of [base.root, ...base.manifests])
    manifests.set(digest, { bytes, mediaType });
  manifests.set(tag, { bytes: base.root.bytes, mediaType: base.root.mediaType });
}

/** Writes a base as an image layout into a folder. */
export function writeBase(folder: string, base: TestBase): void {
  mkdirSync(path.join(folder, "blobs", "sha256"), { recursive: true });
  writeFileSync(path.join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(
    path.join(folder, "index.json"),
    JSON.stringify({ schemaVersion: 2, manifests: [descriptorOf(base.root)] }),
  );
  for (const { digest, bytes } of [base.root, ...base.manifests, ...base.blobs])
    writeFileSync(path.join(folder, "blobs", digest.replace(":", "/")), bytes);
}

function descriptorOf({ mediaType, digest, bytes, platform }: TestContent): object {
  return { mediaType, digest, size: bytes.byteLength, ...(platform === undefined ? {} : { platform }) };
}

function contentOf(bytes: Buffer, mediaType: string): TestContent {
  return { bytes, mediaType, digest: digestOf(bytes) };
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

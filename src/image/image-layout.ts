import type { Image } from "./build-image.ts";
import { type Content, type Descriptor, requireContent } from "./descriptor.ts";
import { BaseImageError } from "./errors.ts";
import type { ImageSource } from "./image-source.ts";
import { parseIndex, parseManifest } from "./manifest.ts";
import { isIndex, isManifest, OCI_INDEX } from "./media-type.ts";
import { imageName, type ImageReference } from "./reference.ts";

/** The files of a layout, in a folder or in an archive. */
export interface LayoutFiles {
  /** Is what messages call it. */
  readonly name: string;
  /** Returns a file by its path, or nothing when there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/** A file of a layout that is written. */
export interface LayoutEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const REF_NAME = "org.opencontainers.image.ref.name";
const FULL_NAME = "io.containerd.image.name";

/**
 * Opens the image of a layout: the one of a name when there are several.
 *
 * Fails: {@link BaseImageError}; reading fails with `DigestMismatchError`.
 */
export async function openLayout(files: LayoutFiles, tag?: string): Promise<ImageSource> {
  const index = await files.read("index.json");
  if (index === undefined || (await files.read("oci-layout")) === undefined) {
    throw new BaseImageError(
      `cannot build on ${files.name}: it is not an OCI image layout: index.json or oci-layout is missing`,
      {
        hint: "create one with `skopeo copy docker://IMAGE oci:FOLDER`, `crane pull --format=oci`, or `docker buildx build --output type=oci`",
      },
    );
  }
  const { manifests } = parseIndex(index, files.name);
  const read = (descriptor: Descriptor): Promise<Uint8Array> => readBlob(files, descriptor);
  return { name: files.name, root: chooseRoot(manifests, files.name, tag), readManifest: read, readBlob: read };
}

function chooseRoot(manifests: readonly Descriptor[], name: string, tag: string | undefined): Descriptor {
  const images = manifests.filter(
    (each) => (isIndex(each.mediaType) || isManifest(each.mediaType)) && each.artifactType === undefined,
  );
  const named = tag === undefined ? images : images.filter((each) => namesOf(each).includes(tag));
  const [only] = named;
  if (only !== undefined && new Set(named.map(({ digest }) => digest)).size === 1) return only;
  const names = images.flatMap((each) => namesOf(each));
  throw new BaseImageError(
    tag === undefined
      ? `cannot build on ${name}: the layout has ${images.length} images`
      : `cannot build on ${name}: the layout has no image named ${tag}`,
    {
      hint:
        names.length === 0
          ? "specify a layout with one image"
          : `specify one as oci:${name}:NAME, with NAME one of ${names.join(", ")}`,
    },
  );
}

function namesOf({ annotations }: Descriptor): readonly string[] {
  return [annotations?.[REF_NAME], annotations?.[FULL_NAME]].flatMap((name) => name ?? []);
}

async function readBlob(files: LayoutFiles, descriptor: Descriptor): Promise<Uint8Array> {
  const bytes = await files.read(blobPath(descriptor.digest));
  if (bytes === undefined) {
    throw new BaseImageError(`cannot build on ${files.name}: the layout lacks the blob ${descriptor.digest}`, {
      hint: "recreate the layout",
    });
  }
  requireContent(bytes, descriptor, files.name);
  return bytes;
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

/**
 * Returns the files of a layout with an image under its names, one after the other.
 *
 * Guarantees: the same image and names give the same files in the same order, the index of the layout last.
 */
export async function* layoutEntries(image: Image, names: readonly ImageReference[]): AsyncGenerator<LayoutEntry> {
  yield { path: "oci-layout", bytes: Buffer.from(JSON.stringify({ imageLayoutVersion: "1.0.0" })) };
  const { root, manifests, blobs, referrers, attachments } = image;
  const written = [...manifests, root, ...referrers.map(({ manifest }) => manifest)].map(
    ({ descriptor, bytes }: Content) => ({ descriptor, read: async () => bytes }),
  );
  const all = [...blobs, ...attachments, ...written].toSorted((left, right) =>
    left.descriptor.digest < right.descriptor.digest ? -1 : 1,
  );
  for (const { descriptor, read } of all) yield { path: blobPath(descriptor.digest), bytes: await read() };
  const archive = dockerManifest(image, names);
  if (archive !== undefined) yield { path: "manifest.json", bytes: Buffer.from(JSON.stringify(archive)) };
  yield { path: "index.json", bytes: Buffer.from(JSON.stringify(layoutIndex(image, names))) };
}

function layoutIndex({ root, referrers }: Image, names: readonly ImageReference[]): object {
  const named = names.map((name) => ({
    ...root.descriptor,
    annotations: { [FULL_NAME]: imageName(name), [REF_NAME]: name.tag ?? "latest" },
  }));
  const roots = named.length === 0 ? [root.descriptor] : named;
  return {
    schemaVersion: 2,
    mediaType: OCI_INDEX,
    manifests: [...roots, ...referrers.map(({ manifest }) => manifest.descriptor)],
  };
}

// What `docker load` of before version 25 reads; it knows nothing of several platforms.
function dockerManifest({ root }: Image, names: readonly ImageReference[]): object | undefined {
  if (isIndex(root.descriptor.mediaType)) return undefined;
  const { config, layers } = parseManifest(root.bytes, "the image");
  return [
    {
      Config: blobPath(config.digest),
      RepoTags: names.map((name) => imageName(name)),
      Layers: layers.map(({ digest }) => blobPath(digest)),
    },
  ];
}

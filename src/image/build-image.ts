import type { BaseImage, BaseImages } from "./base-image.ts";
import { type Content, createContent, createJsonContent, type Descriptor } from "./descriptor.ts";
import { extendConfig, type ImageSettings } from "./image-config.ts";
import type { ImageSource } from "./image-source.ts";
import type { Layer } from "./layer.ts";
import { OCI_CONFIG, OCI_EMPTY, OCI_INDEX, OCI_MANIFEST, ociLayerType, SPDX_JSON } from "./media-type.ts";

/** Content that is read when it is needed. */
export interface ImageBlob {
  readonly descriptor: Descriptor;
  readonly read: () => Promise<Uint8Array>;
  /** Is where a registry has it already. */
  readonly home?: ImageSource["home"];
}

/** An image, complete: everything that a layout or a registry holds of it. */
export interface Image {
  /** Is the manifest, or the index of several. */
  readonly root: Content;
  /** Are the manifests that an index names. */
  readonly manifests: readonly Content[];
  /** Are configurations and layers, each once. */
  readonly blobs: readonly ImageBlob[];
  /** Are manifests of what is said about the image and its manifests. */
  readonly referrers: readonly Referrer[];
  /** Is what referrers consist of. */
  readonly attachments: readonly ImageBlob[];
}

/** A manifest about another one. */
export interface Referrer {
  readonly subject: Descriptor;
  readonly manifest: Content;
}

/** What an image consists of. */
export interface ImageParts {
  readonly source: ImageSource;
  readonly base: BaseImages;
  readonly layer: Layer;
  readonly settings: ImageSettings;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Is said of the image in every manifest. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Is the list of what the layer contains, as SPDX. */
  readonly sbom?: Uint8Array;
}

/**
 * Puts a layer and settings on a base, for every platform of it.
 *
 * Guarantees: the same parts give the same digests; nothing of the base is read but what {@link ImageBlob.read} is called for.
 */
export function buildImage(parts: ImageParts): Image {
  const built = parts.base.images.map((base) => buildOne(parts, base));
  const manifests = built.map(({ manifest }) => manifest);
  const [first] = manifests;
  const root = parts.base.isIndex || first === undefined ? indexOf(parts, manifests) : first;
  const subjects = root === first ? manifests : [root, ...manifests];
  const sbom = parts.sbom === undefined ? undefined : createContent(parts.sbom, SPDX_JSON);
  const attached = sbom === undefined ? [] : [sbom, EMPTY];
  return {
    root,
    manifests: root === first ? [] : manifests,
    blobs: unique(built.flatMap(({ blobs }) => blobs)),
    attachments: attached.map((each) => blobOf(each)),
    referrers: sbom === undefined ? [] : subjects.map((each) => referrerOf(parts, each.descriptor, sbom)),
  };
}

interface BuiltImage {
  readonly manifest: Content;
  readonly blobs: readonly ImageBlob[];
}

function buildOne(
  { source, layer, settings, createdBy, createdAt, annotations }: ImageParts,
  base: BaseImage,
): BuiltImage {
  const added = { diffId: layer.diffId, created: timeText(createdAt), createdBy };
  const config = createJsonContent(extendConfig(base.config, settings, added), OCI_CONFIG);
  const layers = base.layers.map((each) => ({ ...each, mediaType: ociLayerType(each.mediaType) }));
  const content = createJsonContent(
    {
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: config.descriptor,
      layers: [...layers, layer.content.descriptor],
      annotations: sortedAnnotations(source, base.manifest, annotations),
    },
    OCI_MANIFEST,
  );
  const inherited = layers.map((descriptor, index): ImageBlob => ({
    descriptor,
    read: () => source.readBlob(base.layers[index] ?? descriptor),
    ...(source.home === undefined ? {} : { home: source.home }),
  }));
  return {
    manifest: { ...content, descriptor: { ...content.descriptor, platform: base.platform } },
    blobs: [blobOf(config), ...inherited, blobOf(layer.content)],
  };
}

function indexOf({ source, annotations }: ImageParts, manifests: readonly Content[]): Content {
  return createJsonContent(
    {
      schemaVersion: 2,
      mediaType: OCI_INDEX,
      manifests: manifests.map(({ descriptor }) => descriptor),
      annotations: sortedAnnotations(source, source.root, annotations),
    },
    OCI_INDEX,
  );
}

function sortedAnnotations(
  source: ImageSource,
  base: Descriptor,
  annotations: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all = {
    ...annotations,
    "org.opencontainers.image.base.digest": base.digest,
    // Where a layout lies says nothing to others.
    ...(source.home === undefined ? {} : { "org.opencontainers.image.base.name": source.name }),
  };
  return Object.fromEntries(Object.entries(all).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const EMPTY: Content = createJsonContent({}, OCI_EMPTY);

function referrerOf({ createdAt }: ImageParts, subject: Descriptor, sbom: Content): Referrer {
  const { mediaType, digest, size } = subject;
  const manifest = createJsonContent(
    {
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      artifactType: SPDX_JSON,
      config: EMPTY.descriptor,
      layers: [sbom.descriptor],
      subject: { mediaType, digest, size },
      annotations: { "org.opencontainers.image.created": timeText(createdAt) },
    },
    OCI_MANIFEST,
  );
  return { subject, manifest: { ...manifest, descriptor: { ...manifest.descriptor, artifactType: SPDX_JSON } } };
}

function blobOf({ descriptor, bytes }: Content): ImageBlob {
  return { descriptor, read: async () => bytes };
}

function unique(blobs: readonly ImageBlob[]): readonly ImageBlob[] {
  return [...new Map(blobs.map((blob) => [blob.descriptor.digest, blob])).values()];
}

/** Prints a time as the configuration of an image has it. */
export function timeText(time: Date): string {
  return time.toISOString().replace(".000Z", "Z");
}

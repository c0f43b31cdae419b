import type { Descriptor } from "./descriptor.ts";

/** Where an image is read from: a registry, a layout. What it returns has the digest that was asked for. */
export interface ImageSource {
  /** Is what messages call it. */
  readonly name: string;
  /** Names the manifest or the index that stands for the image. */
  readonly root: Descriptor;
  readonly readManifest: (descriptor: Descriptor) => Promise<Uint8Array>;
  readonly readBlob: (descriptor: Descriptor) => Promise<Uint8Array>;
  /** Whether the registry already has the blobs, so that they are not uploaded. */
  readonly home?: { readonly registry: string; readonly repository: string };
}

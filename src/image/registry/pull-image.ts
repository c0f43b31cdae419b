import { createContent, type Descriptor, digestOf, requireContent } from "../descriptor.ts";
import { DigestMismatchError } from "../errors.ts";
import type { ImageSource } from "../image-source.ts";
import { ACCEPTED_MANIFESTS } from "../media-type.ts";
import { imageName, type ImageReference } from "../reference.ts";
import type { RegistryClient } from "./registry-client.ts";

/** Keeps what registries sent, by digest. What it returns is checked again. */
export interface BlobCache {
  readonly read: (digest: string) => Uint8Array | undefined;
  readonly write: (digest: string, bytes: Uint8Array) => void;
}

/**
 * Opens an image of a registry.
 *
 * Guarantees: whatever is read has the digest and size that name it; what the cache has is not asked for again.
 * Fails: `DigestMismatchError`, and the errors of registries.
 */
export async function pullImage(
  client: RegistryClient,
  reference: ImageReference,
  cache: BlobCache,
): Promise<ImageSource> {
  const { registry, repository } = reference;
  const read = (kind: "blobs" | "manifests", descriptor: Descriptor): Promise<Uint8Array> =>
    readContent({ client, reference, cache, kind, descriptor });
  return {
    name: imageName(reference),
    home: { registry, repository },
    root: await readRoot(client, reference, cache),
    readManifest: (descriptor) => read("manifests", descriptor),
    readBlob: (descriptor) => read("blobs", descriptor),
  };
}

async function readRoot(client: RegistryClient, reference: ImageReference, cache: BlobCache): Promise<Descriptor> {
  const { digest, tag = "latest" } = reference;
  const known = digest === undefined ? undefined : cached(cache, digest);
  const mediaType = known === undefined ? undefined : mediaTypeIn(known);
  if (known !== undefined && mediaType !== undefined) return createContent(known, mediaType).descriptor;
  const name = imageName(reference);
  const response = await client.send({
    what: `pull ${name}`,
    path: `${reference.repository}/manifests/${digest ?? tag}`,
    headers: { accept: ACCEPTED_MANIFESTS },
    scopes: [pullScope(reference)],
  });
  const { bytes, headers } = response;
  const expected = digest ?? headers.get("docker-content-digest") ?? digestOf(bytes);
  requireContent(bytes, { digest: expected, size: bytes.byteLength }, name);
  cache.write(expected, bytes);
  const type = mediaTypeIn(bytes) ?? (headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  return createContent(bytes, type).descriptor;
}

// Manifests say what they are, all but some of the first by the Open Container Initiative.
function mediaTypeIn(bytes: Uint8Array): string | undefined {
  try {
    const { mediaType } = JSON.parse(Buffer.from(bytes).toString("utf8")) as { readonly mediaType?: unknown };
    return typeof mediaType === "string" ? mediaType : undefined;
  } catch {
    return undefined;
  }
}

interface ContentRequest {
  readonly client: RegistryClient;
  readonly reference: ImageReference;
  readonly cache: BlobCache;
  readonly kind: "blobs" | "manifests";
  readonly descriptor: Descriptor;
}

async function readContent({ client, reference, cache, kind, descriptor }: ContentRequest): Promise<Uint8Array> {
  const { digest } = descriptor;
  const known = cached(cache, digest);
  if (known !== undefined) return known;
  const name = imageName(reference);
  const { bytes } = await client.send({
    what: `pull ${digest} of ${name}`,
    path: `${reference.repository}/${kind}/${digest}`,
    scopes: [pullScope(reference)],
    ...(kind === "manifests" ? { headers: { accept: ACCEPTED_MANIFESTS } } : { maxBytes: descriptor.size }),
  });
  requireContent(bytes, descriptor, name);
  cache.write(digest, bytes);
  return bytes;
}

function cached(cache: BlobCache, digest: string): Uint8Array | undefined {
  const bytes = cache.read(digest);
  if (bytes === undefined) return undefined;
  try {
    requireContent(bytes, { digest, size: bytes.byteLength }, "the cache");
    return bytes;
  } catch (error) {
    if (error instanceof DigestMismatchError) return undefined;
    throw error;
  }
}

/** Returns the right to read a repository. */
export function pullScope({ repository }: Pick<ImageReference, "repository">): string {
  return `repository:${repository}:pull`;
}

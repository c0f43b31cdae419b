import type { Image } from "../build-image.ts";
import type { Descriptor } from "../descriptor.ts";
import type { ImageReference } from "../reference.ts";
import type { RegistryClient } from "./registry-client.ts";
import {
  type BlobOutcome,
  openRepository,
  putManifest,
  putReferrer,
  type Repository,
  sendBlob,
} from "./write-repository.ts";

/** An image that is sent to a registry. */
export interface PushRequest {
  readonly client: RegistryClient;
  readonly image: Image;
  /** Are the names of one repository. */
  readonly names: readonly ImageReference[];
  readonly onBlob?: (descriptor: Descriptor, outcome: BlobOutcome) => void;
  /** Signs the image, which is in the repository under its digest, before a tag leads to it. */
  readonly sign?: (repository: Repository) => Promise<void>;
}

/**
 * Sends an image to a repository: blobs, manifests, names, and what is said about it.
 *
 * Guarantees: a name leads to the image only after all of it is there, its signatures too; what the registry has, or can take from where it has it, is not sent.
 * Fails: the errors of registries.
 */
export async function pushImage({ client, image, names, onBlob, sign }: PushRequest): Promise<void> {
  const [name] = names;
  if (name === undefined) return;
  const target = openRepository(client, name);
  const { digest } = image.root.descriptor;
  for (const blob of [...image.blobs, ...image.attachments]) onBlob?.(blob.descriptor, await sendBlob(target, blob));
  for (const manifest of image.manifests) await putManifest(target, manifest, manifest.descriptor.digest);
  if (sign !== undefined) {
    await putManifest(target, image.root, digest);
    await sign(target);
  }
  for (const each of names) await putManifest(target, image.root, each.tag ?? digest);
  for (const referrer of image.referrers) await putReferrer(target, referrer);
}

import type { ImageBlob, Referrer, Image } from "../build-image.ts";
import { type Content, createJsonContent, type Descriptor } from "../descriptor.ts";
import { RegistryFailureError, RegistryNotFoundError } from "../errors.ts";
import { parseIndex } from "../manifest.ts";
import { ACCEPTED_MANIFESTS, OCI_INDEX } from "../media-type.ts";
import { imageName, type ImageReference } from "../reference.ts";
import { pullScope } from "./pull-image.ts";
import type { RegistryClient } from "./registry-client.ts";

/** How a blob came to be in a repository. */
export type BlobOutcome = "existed" | "mounted" | "uploaded";

/** A repository that is written to. */
export interface Repository {
  readonly client: RegistryClient;
  /** The name of the repository, for messages with a tag. */
  readonly name: ImageReference;
  readonly scopes: readonly string[];
}

/** Returns a repository to write to. */
function openRepository(client: RegistryClient, name: ImageReference): Repository {
  return { client, name, scopes: [`repository:${name.repository}:pull,push`] };
}

/** Stores a blob unless it is there. An upload that a broken connection ended is started once more. */
export async function sendBlob(target: Repository, blob: ImageBlob): Promise<BlobOutcome> {
  try {
    return await sendBlobOnce(target, blob);
  } catch (error) {
    if (error instanceof RegistryNotFoundError) return sendBlobOnce(target, blob);
    throw error;
  }
}

async function sendBlobOnce(target: Repository, blob: ImageBlob): Promise<BlobOutcome> {
  const { client, name, scopes } = target;
  const { digest } = blob.descriptor;
  const head = await client.send({
    what: `look for ${digest} in ${imageName(name)}`,
    method: "HEAD",
    path: `${name.repository}/blobs/${digest}`,
    scopes,
    accepts: [404],
  });
  if (head.status !== 404) return "existed";
  const started = await startUpload(target, blob);
  if (started.kind === "mounted") return "mounted";
  await client.send({
    what: `push ${digest} to ${imageName(name)}`,
    method: "PUT",
    path: withDigest(started.location, digest),
    headers: { "content-type": "application/octet-stream" },
    body: await blob.read(),
    scopes,
  });
  return "uploaded";
}

type StartedUpload = { readonly kind: "mounted" } | { readonly kind: "open"; readonly location: string };

// A registry may take nothing from a repository that this user may not read: then the blob is sent.
const NO_MOUNT: readonly number[] = [401, 403, 404, 405];

async function startUpload(
  { client, name, scopes }: Repository,
  { descriptor, home }: Pick<ImageBlob, "descriptor" | "home">,
): Promise<StartedUpload> {
  const isNear = home !== undefined && home.registry === name.registry && home.repository !== name.repository;
  const query = isNear ? `?${new URLSearchParams({ mount: descriptor.digest, from: home.repository }).toString()}` : "";
  const response = await client.send({
    what: `push ${descriptor.digest} to ${imageName(name)}`,
    method: "POST",
    path: `${name.repository}/blobs/uploads/${query}`,
    scopes: isNear ? [...scopes, pullScope(home)] : scopes,
    accepts: isNear ? NO_MOUNT : [],
  });
  if (response.status === 201) return { kind: "mounted" };
  if (NO_MOUNT.includes(response.status)) return startUpload({ client, name, scopes }, { descriptor });
  const location = response.headers.get("location");
  if (location !== null) return { kind: "open", location: new URL(location, response.url).href };
  throw new RegistryFailureError(`cannot push to ${imageName(name)}: the response has no upload location`, {
    hint: "check that the host is a registry",
  });
}

function withDigest(location: string, digest: string): string {
  const url = new URL(location);
  url.searchParams.set("digest", digest);
  return url.href;
}

/** Stores a manifest under a tag or its digest. Fails: {@link RegistryFailureError} when the registry stored another one. */
export async function putManifest(target: Repository, { descriptor, bytes }: Content, name: string): Promise<Headers> {
  const { headers } = await target.client.send({
    what: `push ${imageName(target.name)}`,
    method: "PUT",
    path: `${target.name.repository}/manifests/${name}`,
    headers: { "content-type": descriptor.mediaType },
    body: bytes,
    scopes: target.scopes,
  });
  const answered = headers.get("docker-content-digest");
  if (answered === null || answered === descriptor.digest) return headers;
  throw new RegistryFailureError(
    `cannot push ${imageName(target.name)}: the registry stored ${answered} instead of ${descriptor.digest}`,
    { hint: "push to a registry that does not modify manifests" },
  );
}

/** Stores a manifest about another one. A registry without the referrers API gets a tag, named for the subject, that lists it. */
export async function putReferrer(target: Repository, { subject, manifest }: Referrer): Promise<void> {
  const headers = await putManifest(target, manifest, manifest.descriptor.digest);
  if (headers.has("oci-subject")) return;
  const tag = subject.digest.replace(":", "-");
  const listed = await readReferrers(target, tag);
  if (listed.some(({ digest }) => digest === manifest.descriptor.digest)) return;
  const index = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [...listed, manifest.descriptor] };
  await putManifest(target, createJsonContent(index, OCI_INDEX), tag);
}

async function readReferrers(target: Repository, tag: string): Promise<readonly Descriptor[]> {
  const bytes = await readTaggedManifest(target, tag);
  return bytes === undefined ? [] : parseIndex(bytes, imageName(target.name)).manifests;
}

/** Returns the manifest that a tag names, or nothing when there is no such tag. */
export async function readTaggedManifest(
  { client, name, scopes }: Repository,
  tag: string,
): Promise<Uint8Array | undefined> {
  const { status, bytes } = await client.send({
    what: `read the referrers of ${imageName(name)}`,
    path: `${name.repository}/manifests/${tag}`,
    headers: { accept: ACCEPTED_MANIFESTS },
    scopes,
    accepts: [404],
  });
  return status === 404 ? undefined : bytes;
}

/** An image that is sent to a registry. */
interface PushRequest {
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

import type { Image, ImageBlob, Referrer } from "../build-image.ts";
import { type Content, createJsonContent, type Descriptor } from "../descriptor.ts";
import { RegistryFailureError, RegistryNotFoundError } from "../errors.ts";
import { parseIndex } from "../manifest.ts";
import { ACCEPTED_MANIFESTS, OCI_INDEX } from "../media-type.ts";
import { imageName, type ImageReference } from "../reference.ts";
import { pullScope } from "./pull-image.ts";
import type { RegistryClient } from "./registry-client.ts";

/** How a blob came to be in a repository. */
export type BlobOutcome = "existed" | "mounted" | "uploaded";

/** An image that is sent to a registry. */
export interface PushRequest {
  readonly client: RegistryClient;
  readonly image: Image;
  /** Are the names of one repository. */
  readonly names: readonly ImageReference[];
  readonly onBlob?: (descriptor: Descriptor, outcome: BlobOutcome) => void;
}

/**
 * Sends an image to a repository: blobs, manifests, names, and what is said about it.
 *
 * Guarantees: a name leads to the image only after all of it is there; what the registry has, or can take from where it has it, is not sent.
 * Fails: the errors of registries.
 */
export async function pushImage({ client, image, names, onBlob }: PushRequest): Promise<void> {
  const [name] = names;
  if (name === undefined) return;
  const target: Target = { client, name, scopes: [`repository:${name.repository}:pull,push`] };
  for (const blob of [...image.blobs, ...image.attachments]) onBlob?.(blob.descriptor, await sendBlob(target, blob));
  for (const manifest of image.manifests) await putManifest(target, manifest, manifest.descriptor.digest);
  for (const each of names) await putManifest(target, image.root, each.tag ?? image.root.descriptor.digest);
  for (const referrer of image.referrers) await putReferrer(target, referrer);
}

interface Target {
  readonly client: RegistryClient;
  readonly name: ImageReference;
  readonly scopes: readonly string[];
}

// A connection that breaks off may end the upload with it: then it is begun once more.
async function sendBlob(target: Target, blob: ImageBlob): Promise<BlobOutcome> {
  try {
    return await sendBlobOnce(target, blob);
  } catch (error) {
    if (error instanceof RegistryNotFoundError) return sendBlobOnce(target, blob);
    throw error;
  }
}

async function sendBlobOnce(target: Target, blob: ImageBlob): Promise<BlobOutcome> {
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
  { client, name, scopes }: Target,
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
  throw new RegistryFailureError(`cannot push to ${imageName(name)}: the registry does not say where uploads go`, {
    hint: "check that the address is that of a registry",
  });
}

function withDigest(location: string, digest: string): string {
  const url = new URL(location);
  url.searchParams.set("digest", digest);
  return url.href;
}

async function putManifest(target: Target, { descriptor, bytes }: Content, name: string): Promise<Headers> {
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
    `cannot push ${imageName(target.name)}: the registry stored ${answered} in place of ${descriptor.digest}`,
    { hint: "push to a registry that keeps manifests as they are" },
  );
}

// A registry that keeps no record of referrers says nothing of the subject: then a tag named for it lists them.
async function putReferrer(target: Target, { subject, manifest }: Referrer): Promise<void> {
  const headers = await putManifest(target, manifest, manifest.descriptor.digest);
  if (headers.has("oci-subject")) return;
  const tag = subject.digest.replace(":", "-");
  const listed = await readReferrers(target, tag);
  if (listed.some(({ digest }) => digest === manifest.descriptor.digest)) return;
  const index = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [...listed, manifest.descriptor] };
  await putManifest(target, createJsonContent(index, OCI_INDEX), tag);
}

async function readReferrers({ client, name, scopes }: Target, tag: string): Promise<readonly Descriptor[]> {
  const { status, bytes } = await client.send({
    what: `read what is attached to ${imageName(name)}`,
    path: `${name.repository}/manifests/${tag}`,
    headers: { accept: ACCEPTED_MANIFESTS },
    scopes,
    accepts: [404],
  });
  return status === 404 ? [] : parseIndex(bytes, imageName(name)).manifests;
}

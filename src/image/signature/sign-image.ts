import { type Referrer, timeText } from "../build-image.ts";
import { type Content, createContent, createJsonContent, type Descriptor, requireContent } from "../descriptor.ts";
import { parseManifest } from "../manifest.ts";
import { OCI_CONFIG, OCI_EMPTY, OCI_MANIFEST } from "../media-type.ts";
import { imageName, type ImageReference } from "../reference.ts";
import { putManifest, putReferrer, readTaggedManifest, type Repository, sendBlob } from "../registry/push-image.ts";
import { DSSE_ENVELOPE, IN_TOTO, openEnvelope, signEnvelope } from "./dsse.ts";
import { SLSA_PROVENANCE } from "./provenance.ts";
import type { SigningKey } from "./signing-key.ts";

/** Signatures of the manifests of one image. */
export interface SigningRequest {
  readonly key: SigningKey;
  /** The index and the manifests that it names, or the one manifest. */
  readonly subjects: readonly Descriptor[];
  /** The in-toto statement with the provenance, if there is to be one. */
  readonly provenance: Uint8Array | undefined;
  readonly createdAt: Date;
}

/** The artifact type of a signature among the referrers of an image, which cosign chose. */
const SIGNATURE_ARTIFACT = "application/vnd.dev.cosign.artifact.sig.v1+json";
const SIGNATURE_ANNOTATION = "dev.cosignproject.cosign/signature";
const PREDICATE_ANNOTATION = "predicateType";
const MOST_ENVELOPE_BYTES = 4 * 1024 ** 2;

/**
 * Stores signatures and provenance of an image that is in a repository: under the tags where cosign looks for them, and as referrers.
 *
 * Guarantees: signatures of other keys and other attestations stay; signing again with the same key changes nothing.
 * Fails: the errors of registries.
 */
export async function signImage(repository: Repository, request: SigningRequest): Promise<void> {
  await sendContent(repository, EMPTY);
  for (const subject of request.subjects) {
    const signature = await storeSignature(repository, request, subject);
    await putReferrer(repository, referrerOf(request, subject, signature));
    if (request.provenance === undefined) continue;
    const envelope = await storeAttestation(repository, request, subject, request.provenance);
    await putReferrer(repository, referrerOf(request, subject, envelope));
  }
}

/** A layer of a manifest with signatures, and how it is listed as a referrer. */
interface SignedLayer {
  readonly descriptor: Descriptor;
  readonly artifactType: string;
  readonly annotations: Readonly<Record<string, string>>;
}

async function storeSignature(
  repository: Repository,
  { key }: SigningRequest,
  subject: Descriptor,
): Promise<SignedLayer> {
  const tag = cosignTag(subject, "sig");
  const payload = createContent(simpleSigningPayload(repository.name, subject.digest), SIMPLE_SIGNING);
  const layers = await readLayers(repository, tag);
  const known = layers.find(({ digest, annotations }) => {
    const signature = Buffer.from(annotations?.[SIGNATURE_ANNOTATION] ?? "", "base64");
    return digest === payload.descriptor.digest && key.verify(payload.bytes, signature);
  });
  const signed = known ?? {
    ...payload.descriptor,
    annotations: { [SIGNATURE_ANNOTATION]: Buffer.from(key.sign(payload.bytes)).toString("base64") },
  };
  if (known === undefined) await storeLayers(repository, tag, [...layers, signed], payload);
  return { descriptor: signed, artifactType: SIGNATURE_ARTIFACT, annotations: {} };
}

// As with `cosign attest --replace`, an earlier provenance of the same key goes, since an image has one build.
async function storeAttestation(
  repository: Repository,
  { key }: SigningRequest,
  subject: Descriptor,
  statement: Uint8Array,
): Promise<SignedLayer> {
  const tag = cosignTag(subject, "att");
  const layers = await readLayers(repository, tag);
  const own = new Map<Descriptor, Uint8Array>();
  for (const layer of layers) {
    const signed = await readStatement(repository, layer, key);
    if (signed !== undefined) own.set(layer, signed);
  }
  const same = [...own].find(([, signed]) => Buffer.from(statement).equals(signed))?.[0];
  const envelope = createContent(signEnvelope(statement, key), DSSE_ENVELOPE);
  const annotations = { [SIGNATURE_ANNOTATION]: "", [PREDICATE_ANNOTATION]: SLSA_PROVENANCE };
  const descriptor = same ?? { ...envelope.descriptor, annotations };
  const kept = layers.filter((layer) => layer === same || !own.has(layer));
  if (same === undefined) await storeLayers(repository, tag, [...kept, descriptor], envelope);
  return { descriptor, artifactType: IN_TOTO, annotations: { "in-toto.io/predicate-type": SLSA_PROVENANCE } };
}

async function readStatement(
  repository: Repository,
  layer: Descriptor,
  key: SigningKey,
): Promise<Uint8Array | undefined> {
  const isProvenance = layer.annotations?.[PREDICATE_ANNOTATION] === SLSA_PROVENANCE;
  if (!isProvenance || layer.mediaType !== DSSE_ENVELOPE || layer.size > MOST_ENVELOPE_BYTES) return undefined;
  const { client, name, scopes } = repository;
  const { bytes } = await client.send({
    what: `read the provenance of ${imageName(name)}`,
    path: `${name.repository}/blobs/${layer.digest}`,
    scopes,
    maxBytes: layer.size,
  });
  requireContent(bytes, layer, imageName(name));
  return openEnvelope(bytes, key);
}

// Cosign's own tags: a manifest whose layers are the signatures of an image.
function cosignTag({ digest }: Descriptor, kind: "sig" | "att"): string {
  return `${digest.replace(":", "-")}.${kind}`;
}

async function readLayers(repository: Repository, tag: string): Promise<readonly Descriptor[]> {
  const bytes = await readTaggedManifest(repository, tag);
  return bytes === undefined ? [] : parseManifest(bytes, imageName({ ...repository.name, tag })).layers;
}

async function storeLayers(
  repository: Repository,
  tag: string,
  layers: readonly Descriptor[],
  added: Content,
): Promise<void> {
  const config = createJsonContent(
    {
      architecture: "",
      os: "",
      config: {},
      rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
    },
    OCI_CONFIG,
  );
  const manifest = { schemaVersion: 2, mediaType: OCI_MANIFEST, config: config.descriptor, layers };
  for (const each of [config, added]) await sendContent(repository, each);
  await putManifest(repository, createJsonContent(manifest, OCI_MANIFEST), tag);
}

const EMPTY: Content = createJsonContent({}, OCI_EMPTY);

async function sendContent(repository: Repository, { descriptor, bytes }: Content): Promise<void> {
  await sendBlob(repository, { descriptor, read: async () => bytes });
}

function referrerOf({ createdAt }: SigningRequest, subject: Descriptor, layer: SignedLayer): Referrer {
  const { mediaType, digest, size } = subject;
  const { artifactType, descriptor } = layer;
  const annotations = { ...layer.annotations, "org.opencontainers.image.created": timeText(createdAt) };
  // Cosign reads the type of a signature from the configuration.
  const config =
    artifactType === SIGNATURE_ARTIFACT ? { ...EMPTY.descriptor, mediaType: artifactType } : EMPTY.descriptor;
  const content = createJsonContent(
    {
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      artifactType,
      config,
      layers: [descriptor],
      subject: { mediaType, digest, size },
      annotations,
    },
    OCI_MANIFEST,
  );
  return { subject, manifest: { ...content, descriptor: { ...content.descriptor, artifactType, annotations } } };
}

/** The media type of what cosign signs of an image. */
const SIMPLE_SIGNING = "application/vnd.dev.cosign.simplesigning.v1+json";

/** Returns the text that cosign signs for an image: its repository and its digest. */
function simpleSigningPayload({ registry, repository }: ImageReference, digest: string): Uint8Array {
  // Cosign names Docker's registry in full.
  const host = registry === "docker.io" ? "index.docker.io" : registry;
  return Buffer.from(
    JSON.stringify({
      critical: {
        identity: { "docker-reference": `${host}/${repository}` },
        image: { "docker-manifest-digest": digest },
        type: "cosign container image signature",
      },
      optional: null,
    }),
  );
}

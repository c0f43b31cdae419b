import { isNotFound } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";

import type { LiveClient, ObjectKey } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { CertificateSecretTakenError } from "./errors.ts";
import type { SelfSignedPair } from "./self-signed-certificate.ts";
import { bundleOf, SECRET_KEYS, type TrustedCertificate } from "./stored-certificates.ts";

/** The annotation of a Secret that this package writes. */
const OWNED = "certificates.kubescaffold.dev/self-managed";
const CERT_MANAGER = "cert-manager.io/certificate-name";

/** What is written into the Secret. */
export interface SecretContent {
  readonly authorities: readonly TrustedCertificate[];
  readonly authorityKey: string;
  readonly serving: SelfSignedPair;
}

/** Reads and writes the Secret of self-managed certificates, one version after the other: a write fails if another replica was faster. */
export class CertificateSecret {
  readonly #client: LiveClient;
  readonly #key: ObjectKey;

  constructor(client: LiveClient, key: ObjectKey) {
    this.#client = client;
    this.#key = key;
  }

  /** The name for messages. */
  get title(): string {
    return `${this.#key.namespace ?? ""}/${this.#key.name}`;
  }

  /** Reads the Secret from the server; undefined if there is none. Fails: {@link CertificateSecretTakenError}. */
  async read(signal: AbortSignal): Promise<Stored<Secret> | undefined> {
    try {
      const secret = await this.#client.get(Secret, this.#key, { signal });
      const reason = foreignReason(secret);
      if (reason !== undefined) throw new CertificateSecretTakenError(this.title, reason);
      return secret;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Creates the Secret, or replaces the version that was read. Fails: `isAlreadyExists`, `isConflict`, or `isNotFound` when another replica was faster. */
  async write(former: Stored<Secret> | undefined, content: SecretContent, signal: AbortSignal): Promise<void> {
    const { name, namespace = "" } = this.#key;
    const data = { ...former?.data, ...encoded(content) };
    const annotations = { ...former?.metadata.annotations, [OWNED]: "true" };
    if (former === undefined) {
      await this.#client.create(Secret.create({ metadata: { name, namespace, annotations }, type: "Opaque", data }), {
        signal,
      });
    } else {
      await this.#client.update({ ...former, metadata: { ...former.metadata, annotations }, data }, { signal });
    }
  }
}

// An empty Secret is one that was installed for this purpose, so that nobody needs the right to create Secrets.
function foreignReason({ metadata, immutable, data = {} }: Stored<Secret>): string | undefined {
  if (immutable === true) return "it is immutable";
  const { annotations = {} } = metadata;
  if (Object.hasOwn(annotations, CERT_MANAGER)) return "cert-manager writes it";
  if (Object.hasOwn(annotations, OWNED)) return undefined;
  const foreign = Object.keys(data).find((key) => !OWN_KEYS.has(key));
  return foreign === undefined ? undefined : `it has the key ${JSON.stringify(foreign)} of something else`;
}

const OWN_KEYS: ReadonlySet<string> = new Set(Object.values(SECRET_KEYS));

function encoded({ authorities, authorityKey, serving }: SecretContent): Readonly<Record<string, string>> {
  const texts = {
    [SECRET_KEYS.bundle]: bundleOf(authorities),
    [SECRET_KEYS.authorityKey]: authorityKey,
    [SECRET_KEYS.cert]: serving.cert,
    [SECRET_KEYS.key]: serving.key,
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}

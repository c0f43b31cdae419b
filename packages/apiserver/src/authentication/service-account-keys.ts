// cspell:ignore secp
import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";

import { ScaffoldError } from "@kubescaffold/k8s";

/** Keys of service account tokens, as PEM text. */
export interface ServiceAccountKeys {
  /** The private key that signs, RSA or ECDSA. */
  readonly signingKey: string;
  /** Public keys, private keys, or certificates whose signatures are accepted, several in one text if needed. Default: that of `signingKey`. */
  readonly verificationKeys?: readonly string[];
}

/** Signs texts, and verifies signatures. */
export interface TokenKeys {
  /** The header of signed tokens: the algorithm, and the id of the key. */
  readonly header: { readonly alg: string; readonly kid: string };
  /** Returns the signature of a text in base64url. */
  sign(text: string): string;
  /** Whether a signature in base64url is one of these keys. */
  isSigned(text: string, signature: string): boolean;
  /** The keys with which others can verify signatures; none for a secret. */
  readonly publicKeys: readonly PublicTokenKey[];
}

/** A public key that verifies tokens. */
export interface PublicTokenKey {
  readonly alg: string;
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * Thrown when a key of service account tokens is not one that Kubernetes accepts.
 *
 * Fix: Pass an RSA key, or an ECDSA key of the curve P-256, P-384, or P-521, as PEM text; the signing key must be a private key.
 */
export class ServiceAccountKeyError extends ScaffoldError {
  readonly code = "APISERVER_SERVICE_ACCOUNT_KEY";
}

/** The length of a secret that signs tokens, in bytes. */
export const SECRET_BYTES = 32;

/** Returns the keys of a secret; by default one that exists as long as the process. */
export function secretKey(secret: Uint8Array = randomBytes(SECRET_BYTES)): TokenKeys {
  const signatureOf = (text: string): string => createHmac("sha256", secret).update(text).digest("base64url");
  return {
    header: { alg: "HS256", kid: "embedded" },
    publicKeys: [],
    sign: signatureOf,
    isSigned: (text, signature) => {
      const [one, other] = [Buffer.from(signature), Buffer.from(signatureOf(text))];
      return one.length === other.length && timingSafeEqual(one, other);
    },
  };
}

/** Returns the keys of PEM texts. Fails: {@link ServiceAccountKeyError}. */
export function pemKeys({ signingKey, verificationKeys }: ServiceAccountKeys): TokenKeys {
  const key = readKey(signingKey, createPrivateKey);
  const { alg, hash } = algorithmOf(key);
  const accepted = (verificationKeys ?? [signingKey]).flatMap((text) => publicKeysOf(text));
  return {
    header: { alg, kid: keyId(createPublicKey(key)) },
    publicKeys: accepted.map((each) => ({ alg: each.alg, kid: keyId(each.key), key: each.key })),
    sign: (text) => sign(hash, Buffer.from(text), { key, ...SIGNATURE_FORM }).toString("base64url"),
    isSigned: (text, signature) => {
      const bytes = Buffer.from(signature, "base64url");
      return accepted.some((each) => verify(each.hash, Buffer.from(text), { key: each.key, ...SIGNATURE_FORM }, bytes));
    },
  };
}

// The form of JSON web signatures.
const SIGNATURE_FORM = { dsaEncoding: "ieee-p1363", padding: constants.RSA_PKCS1_PADDING } as const;

const PEM_BLOCK = /-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----/gu;

function publicKeysOf(
  text: string,
): readonly { readonly key: KeyObject; readonly alg: string; readonly hash: string }[] {
  const blocks = text.match(PEM_BLOCK) ?? [text];
  // OpenSSL writes the parameters of a curve before its key.
  return blocks
    .filter((block) => !block.includes(" PARAMETERS-----"))
    .map((block) => {
      const key = readKey(block, createPublicKey);
      return { key, ...algorithmOf(key) };
    });
}

function readKey(text: string, read: (text: string) => KeyObject): KeyObject {
  try {
    return read(text);
  } catch (error) {
    throw new ServiceAccountKeyError("cannot read a key of service account tokens: it is not a PEM key", {
      cause: error,
      hint: "pass an RSA or ECDSA key as PEM text",
    });
  }
}

const CURVES: Readonly<Record<string, { readonly alg: string; readonly hash: string }>> = {
  prime256v1: { alg: "ES256", hash: "sha256" },
  secp384r1: { alg: "ES384", hash: "sha384" },
  secp521r1: { alg: "ES512", hash: "sha512" },
};

function algorithmOf(key: KeyObject): { readonly alg: string; readonly hash: string } {
  const curve = key.asymmetricKeyDetails?.namedCurve ?? "";
  const algorithm = key.asymmetricKeyType === "rsa" ? { alg: "RS256", hash: "sha256" } : CURVES[curve];
  if (algorithm !== undefined) return algorithm;
  throw new ServiceAccountKeyError(`cannot use a key of type ${key.asymmetricKeyType ?? key.type} ${curve}`.trim(), {
    hint: "pass an RSA key, or an ECDSA key of the curve P-256, P-384, or P-521",
  });
}

function keyId(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
}

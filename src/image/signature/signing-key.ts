import { constants, createPrivateKey, createPublicKey, type KeyObject, scryptSync, sign, verify } from "node:crypto";

import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";

import { SigningKeyError } from "../errors.ts";

/** Signs bytes as cosign does, with SHA-256, and verifies what it signed. */
export interface SigningKey {
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  readonly verify: (bytes: Uint8Array, signature: Uint8Array) => boolean;
}

/** A private key in cosign's format, and its password. */
export interface EncryptedKey {
  /** The text of the file. */
  readonly pem: string;
  readonly password: string;
  /** The name of the file, for messages. */
  readonly name: string;
}

/**
 * Opens a private key of `cosign generate-key-pair`: PKCS #8 in NaCl's secretbox, under a key that scrypt derives from a password.
 *
 * Fails: {@link SigningKeyError}.
 */
export function openSigningKey({ pem, password, name }: EncryptedKey): SigningKey {
  const box = readSecretBox(pem, name);
  const key = parseKey(decrypt(box, password, name), name);
  return {
    sign: (bytes) => sign("sha256", bytes, signingOptions(key)),
    verify: (bytes, signature) => verify("sha256", bytes, signingOptions(createPublicKey(key)), signature),
  };
}

interface SecretBox {
  readonly salt: Uint8Array;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly cost: number;
}

const PEM =
  /^-----BEGIN (?<type>ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY)-----\s(?<body>[A-Za-z0-9+/=\s]+)-----END \k<type>-----$/u;
const NONCE_BYTES = 24;
const KEY_BYTES = 32;
// The parameters that cosign's library writes: others could keep this machine busy for hours.
const COSTS = [2 ** 15, 2 ** 16, 2 ** 17];

function readSecretBox(pem: string, name: string): SecretBox {
  const body = PEM.exec(pem.trim())?.groups?.["body"];
  if (body === undefined) {
    throw new SigningKeyError(`cannot read the signing key ${name}: it is not an encrypted private key of cosign`, {
      hint: "create one with `cosign generate-key-pair`, or convert another with `cosign import-key-pair`",
    });
  }
  try {
    const { kdf, cipher, ciphertext } = JSON.parse(Buffer.from(body, "base64").toString("utf8")) as StoredBox;
    const { N: cost, r: blockSize, p: parallelization } = kdf.params;
    const isKnown =
      kdf.name === "scrypt" &&
      cipher.name === "nacl/secretbox" &&
      COSTS.includes(cost) &&
      blockSize === 8 &&
      parallelization === 1;
    const nonce = Buffer.from(cipher.nonce, "base64");
    if (isKnown && nonce.byteLength === NONCE_BYTES)
      return { salt: Buffer.from(kdf.salt, "base64"), nonce, ciphertext: Buffer.from(ciphertext, "base64"), cost };
  } catch (cause) {
    throw damaged(name, cause);
  }
  throw damaged(name);
}

interface StoredBox {
  readonly kdf: {
    readonly name: string;
    readonly params: { readonly N: number; readonly r: number; readonly p: number };
    readonly salt: string;
  };
  readonly cipher: { readonly name: string; readonly nonce: string };
  readonly ciphertext: string;
}

function damaged(name: string, cause?: unknown): SigningKeyError {
  return new SigningKeyError(`cannot read the signing key ${name}: it is damaged, or encrypted in an unknown way`, {
    hint: "restore the file, or create another key with `cosign generate-key-pair`",
    ...(cause === undefined ? {} : { cause }),
  });
}

function decrypt({ salt, nonce, ciphertext, cost }: SecretBox, password: string, name: string): Uint8Array {
  const key = scryptSync(password, salt, KEY_BYTES, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 });
  try {
    return xsalsa20poly1305(key, nonce).decrypt(ciphertext);
  } catch (cause) {
    throw new SigningKeyError(`cannot open the signing key ${name}: the password is wrong`, {
      hint: "set COSIGN_PASSWORD to the password that the key was created with",
      cause,
    });
  }
}

function parseKey(der: Uint8Array, name: string): KeyObject {
  const key = createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" });
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === "rsa" || (type === "ec" && details?.namedCurve === "prime256v1")) return key;
  throw new SigningKeyError(
    `cannot sign with the key ${name}: it is of type ${details?.namedCurve ?? type ?? "unknown"}`,
    {
      hint: "use a key of the type ECDSA P-256, which `cosign generate-key-pair` creates, or RSA",
    },
  );
}

// Cosign pads RSA signatures by PKCS #1 1.5, and writes ECDSA signatures as ASN.1.
function signingOptions(key: KeyObject): { readonly key: KeyObject; readonly padding?: number } {
  return key.asymmetricKeyType === "rsa" ? { key, padding: constants.RSA_PKCS1_PADDING } : { key };
}

import { generateKeyPairSync, randomBytes, scryptSync } from "node:crypto";

import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";

/** A pair of keys as cosign writes them. */
export interface CosignKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** The parameters of the derivation of keys, as cosign writes them. */
interface Kdf {
  readonly name?: string;
  readonly params?: { readonly N: number; readonly r: number; readonly p: number };
}

/** Generates a pair of keys in cosign's format, with the smallest cost that cosign reads. */
export function generateCosignKey(password: string, type = "P-256", kdf: Kdf = {}): CosignKeyPair {
  const { privateKey, publicKey } =
    type === "RSA"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: type });
  const plain = privateKey.export({ format: "der", type: "pkcs8" });
  const [salt, nonce] = [randomBytes(32), randomBytes(24)];
  const params = { N: 2 ** 15, r: 8, p: 1 };
  const key = scryptSync(password, salt, 32, { ...params, maxmem: 2 ** 26 });
  const box = {
    kdf: { name: "scrypt", params, salt: salt.toString("base64"), ...kdf },
    cipher: { name: "nacl/secretbox", nonce: nonce.toString("base64") },
    ciphertext: Buffer.from(xsalsa20poly1305(key, nonce).encrypt(plain)).toString("base64"),
  };
  return {
    privateKey: pem("ENCRYPTED SIGSTORE PRIVATE KEY", Buffer.from(JSON.stringify(box)).toString("base64")),
    publicKey: publicKey.export({ format: "pem", type: "spki" }).toString(),
  };
}

function pem(type: string, base64: string): string {
  const lines = base64.match(/.{1,64}/gu) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ""].join("\n");
}

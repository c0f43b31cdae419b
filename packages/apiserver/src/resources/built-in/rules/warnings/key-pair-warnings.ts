import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn } from "../../../fields.ts";

/** Returns a warning about a Secret of the type `kubernetes.io/tls` whose certificate and key cannot be read, or do not belong together. */
export function keyPairWarnings(secret: ApiObject): readonly string[] {
  if (textIn(secret, "type") !== "kubernetes.io/tls") return [];
  const data = objectIn(secret, "data");
  const [certificate, key] = ["tls.crt", "tls.key"].map((name) =>
    Buffer.from(textIn(data, name), "base64").toString("latin1"),
  );
  const problem = pairProblem(certificate ?? "", key ?? "");
  return problem === undefined ? [] : [problem];
}

function pairProblem(certificateText: string, keyText: string): string | undefined {
  const [certificates, keys] = [blocksOf(certificateText), blocksOf(keyText)];
  const first = certificates.find(({ type }) => type === "CERTIFICATE");
  if (first === undefined) return certificateProblem(certificates);
  const keyBlock = keys.find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (keyBlock === undefined) return keyProblem(keys);
  const certificate = readCertificate(first.bytes);
  if (certificate === undefined) return "x509: malformed certificate";
  const key = readKey(keyBlock.bytes);
  if (key === undefined) return "tls: failed to parse private key";
  const { publicKey } = certificate;
  if (publicKey.asymmetricKeyType !== key.asymmetricKeyType)
    return "tls: private key type does not match public key type";
  return publicKey.equals(createPublicKey(key)) ? undefined : "tls: private key does not match public key";
}

interface PemBlock {
  readonly type: string;
  readonly bytes: Buffer;
}

const BLOCK = /-----BEGIN ([^-\n]*)-----\r?\n([A-Za-z0-9+/=\s]*?)\r?\n?-----END \1-----/gu;

function blocksOf(text: string): readonly PemBlock[] {
  return [...text.matchAll(BLOCK)].map(([, type = "", content = ""]) => ({
    type,
    bytes: Buffer.from(content, "base64"),
  }));
}

function certificateProblem(blocks: readonly PemBlock[]): string {
  const [only, ...others] = blocks;
  if (only === undefined) return "tls: failed to find any PEM data in certificate input";
  return others.length === 0 && only.type.endsWith("PRIVATE KEY")
    ? "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"
    : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function keyProblem(blocks: readonly PemBlock[]): string {
  const [only, ...others] = blocks;
  if (only === undefined) return "tls: failed to find any PEM data in key input";
  return others.length === 0 && only.type === "CERTIFICATE"
    ? "tls: found a certificate rather than a key in the PEM for the private key"
    : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

const typesOf = (blocks: readonly PemBlock[]): string => `[${blocks.map(({ type }) => type).join(" ")}]`;

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

// A block does not tell which of the encodings it has.
function readKey(bytes: Buffer): KeyObject | undefined {
  for (const type of ["pkcs1", "pkcs8", "sec1"] as const) {
    try {
      return createPrivateKey({ key: bytes, format: "der", type });
    } catch {
      // The next encoding is tried.
    }
  }
  return undefined;
}

import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** A request for a certificate, PKCS#10. */
export interface CertificateRequest {
  readonly key: KeyObject;
  /** Whether it is signed with its key, by an algorithm that is known. */
  readonly isSigned: boolean;
}

/** Reads a request for a certificate in DER; undefined if it is none. Source: RFC 2986, section 4. */
export function readCertificateRequest(bytes: Buffer): CertificateRequest | undefined {
  const [outer, ...rest] = derItems(bytes) ?? [];
  const [info, algorithm, signature] = derItems(outer?.content) ?? [];
  const [, , publicKey] = derItems(info?.content) ?? [];
  const [identifier] = derItems(algorithm?.content) ?? [];
  if (rest.length > 0 || info === undefined || publicKey === undefined || signature?.tag !== BIT_STRING)
    return undefined;
  try {
    const key = createPublicKey({ key: publicKey.whole, format: "der", type: "spki" });
    // The first byte counts the bits that are unused.
    const isSigned = isVerified(key, {
      algorithm: identifier?.content.toString("hex") ?? "",
      text: info.whole,
      signature: signature.content.subarray(1),
    });
    return { key, isSigned };
  } catch {
    return undefined;
  }
}

const BIT_STRING = 0x03;

// The object identifiers of signatures in DER, with their digests.
const DIGESTS: Readonly<Record<string, string>> = {
  "2a864886f70d01010b": "sha256",
  "2a864886f70d01010c": "sha384",
  "2a864886f70d01010d": "sha512",
  "2a8648ce3d040302": "sha256",
  "2a8648ce3d040303": "sha384",
  "2a8648ce3d040304": "sha512",
};
const ED25519 = "2b6570";

function isVerified(
  key: KeyObject,
  { algorithm, text, signature }: { readonly algorithm: string; readonly text: Buffer; readonly signature: Buffer },
): boolean {
  const digest = DIGESTS[algorithm];
  if (digest === undefined && algorithm !== ED25519) return false;
  return verify(digest, text, key, signature);
}

interface DerItem {
  readonly tag: number;
  readonly whole: Buffer;
  readonly content: Buffer;
}

const LONG_FORM = 0x80;
const MOST_LENGTH_BYTES = 4;

// Reads consecutive items; undefined if one is cut off.
function derItems(bytes: Buffer = Buffer.alloc(0)): readonly DerItem[] | undefined {
  const items: DerItem[] = [];
  for (let start = 0; start < bytes.length;) {
    const [tag = 0, first = 0] = bytes.subarray(start, start + 2);
    const lengthBytes = first < LONG_FORM ? 0 : first - LONG_FORM;
    const contentStart = start + 2 + lengthBytes;
    if (lengthBytes > MOST_LENGTH_BYTES || contentStart > bytes.length) return undefined;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes);
    const end = contentStart + length;
    if (end > bytes.length || first === LONG_FORM) return undefined;
    items.push({ tag, whole: bytes.subarray(start, end), content: bytes.subarray(contentStart, end) });
    start = end;
  }
  return items;
}

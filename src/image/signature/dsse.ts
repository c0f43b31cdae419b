import type { SigningKey } from "./signing-key.ts";

/** The media type of an envelope. */
export const DSSE_ENVELOPE = "application/vnd.dsse.envelope.v1+json";
/** The type of the payload of an attestation, and the artifact type of its referrer. */
export const IN_TOTO = "application/vnd.in-toto+json";

/** Signs a statement in an envelope of the Dead Simple Signing Envelope specification. */
export function signEnvelope(statement: Uint8Array, key: SigningKey): Uint8Array {
  const sig = Buffer.from(key.sign(signedText(statement))).toString("base64");
  const payload = Buffer.from(statement).toString("base64");
  return Buffer.from(JSON.stringify({ payloadType: IN_TOTO, payload, signatures: [{ keyid: "", sig }] }));
}

/** Returns the statement of an envelope that a key has signed, or nothing when it has not. */
export function openEnvelope(bytes: Uint8Array, key: SigningKey): Uint8Array | undefined {
  try {
    const { payloadType, payload, signatures } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Envelope;
    const statement = Buffer.from(payload, "base64");
    const isSigned = signatures.some(({ sig }) => key.verify(signedText(statement), Buffer.from(sig, "base64")));
    return payloadType === IN_TOTO && isSigned ? statement : undefined;
  } catch {
    return undefined;
  }
}

interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly sig: string }[];
}

// The specification calls this the pre-authentication encoding.
function signedText(statement: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${statement.byteLength} `;
  return Buffer.concat([Buffer.from(head), statement]);
}

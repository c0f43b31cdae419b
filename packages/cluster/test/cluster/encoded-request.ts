import { generateKeyPairSync, sign } from "node:crypto";

import { bitString, element, INTEGER, objectIdentifier, OCTET_STRING, sequence, SET } from "../../src/cluster/der.ts";

/** An attribute of the subject of a request: its object identifier, and the encoded value. */
export type EncodedAttribute = readonly [attribute: string, value: Buffer];

const KEYS = generateKeyPairSync("ec", { namedCurve: "P-256" });
const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";
const ALTERNATIVE_NAMES = "2.5.29.17";

/** The private key of all requests, as PEM. */
export const PRIVATE_KEY: string = KEYS.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Returns a signed certificate request in PEM whose values are encoded by the test, so that any value is possible. */
export function encodedRequest(attributes: readonly EncodedAttribute[], names: readonly Buffer[] = []): string {
  const subject = attributes.map(([attribute, value]) => element(SET, sequence(objectIdentifier(attribute), value)));
  const extensions = sequence(sequence(objectIdentifier(ALTERNATIVE_NAMES), element(OCTET_STRING, sequence(...names))));
  const requested = sequence(objectIdentifier(EXTENSION_REQUEST), element(SET, extensions));
  const info = sequence(
    element(INTEGER, Buffer.from([0])),
    sequence(...subject),
    KEYS.publicKey.export({ type: "spki", format: "der" }),
    element(0xa0, names.length === 0 ? Buffer.of() : requested),
  );
  const signature = bitString(sign("sha256", info, KEYS.privateKey), 0);
  const der = sequence(info, sequence(objectIdentifier("1.2.840.10045.4.3.2")), signature);
  const lines = der.toString("base64").match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join("\n")}\n-----END CERTIFICATE REQUEST-----\n`;
}

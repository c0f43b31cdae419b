import { createPublicKey, verify } from "node:crypto";

import { expect, it } from "vitest";

import { openEnvelope, signEnvelope } from "../../../src/image/signature/dsse.ts";
import { openSigningKey, type SigningKey } from "../../../src/image/signature/signing-key.ts";
import { generateCosignKey } from "../../support/cosign-key.ts";

const PAIR = generateCosignKey("");
const STATEMENT = Buffer.from('{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"ä"}]}');

function openKey(pem: string): SigningKey {
  return openSigningKey({ pem, password: "", name: "cosign.key" });
}

it("an envelope has a signature over the length and bytes of its type and payload", () => {
  const envelope = JSON.parse(Buffer.from(signEnvelope(STATEMENT, openKey(PAIR.privateKey))).toString()) as {
    readonly payloadType: string;
    readonly payload: string;
    readonly signatures: readonly [{ readonly sig: string }];
  };
  expect(envelope.payloadType).toBe("application/vnd.in-toto+json");
  expect(Buffer.from(envelope.payload, "base64").equals(STATEMENT)).toBe(true);
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${String(STATEMENT.byteLength)} `),
    STATEMENT,
  ]);
  const signature = Buffer.from(envelope.signatures[0].sig, "base64");
  expect(verify("sha256", signed, createPublicKey(PAIR.publicKey), signature)).toBe(true);
});

it("an envelope opens with its own key alone, and only unchanged", () => {
  const key = openKey(PAIR.privateKey);
  const envelope = Buffer.from(signEnvelope(STATEMENT, key));
  expect(openEnvelope(envelope, key)).toEqual(STATEMENT);
  expect(openEnvelope(envelope, openKey(generateCosignKey("").privateKey))).toBeUndefined();
  const changed = { ...(JSON.parse(envelope.toString()) as object), payload: Buffer.from("{}").toString("base64") };
  expect(openEnvelope(Buffer.from(JSON.stringify(changed)), key)).toBeUndefined();
  expect(openEnvelope(Buffer.from("no JSON"), key)).toBeUndefined();
});

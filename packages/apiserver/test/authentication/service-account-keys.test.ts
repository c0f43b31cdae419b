import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";

import { describe, expect, it } from "vitest";

import { pemKeys, secretKey } from "../../src/authentication/service-account-keys.ts";
import { ServiceAccountTokenSigner } from "../../src/authentication/service-account-token.ts";

interface Pair {
  readonly privateKey: string;
  readonly publicKey: string;
}

const pemOf = ({ privateKey, publicKey }: KeyPairKeyObjectResult): Pair => ({
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
});
const curve = (namedCurve: string): Pair => pemOf(generateKeyPairSync("ec", { namedCurve }));
const rsa = pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const ec = curve("P-256");

describe("keys of service account tokens", () => {
  it.each([
    ["RS256", rsa],
    ["ES256", ec],
    ["ES384", curve("P-384")],
    ["ES512", curve("P-521")],
  ])("sign with %s and accept their own signatures alone", (alg, { privateKey, publicKey }) => {
    const keys = pemKeys({ signingKey: privateKey, verificationKeys: [publicKey] });
    expect(keys.header).toMatchObject({ alg, kid: expect.stringMatching(/^[\w-]{43}$/u) });
    const signature = keys.sign("text");
    expect(keys.isSigned("text", signature)).toBe(true);
    expect(keys.isSigned("other", signature)).toBe(false);
    expect(keys.isSigned("text", "")).toBe(false);
    expect(keys.isSigned("text", secretKey().sign("text"))).toBe(false);
  });

  it("accept the signatures of every verification key, several in one text", () => {
    const rotated = pemKeys({ signingKey: ec.privateKey, verificationKeys: [`${ec.publicKey}\n${rsa.publicKey}`] });
    expect(rotated.isSigned("text", pemKeys({ signingKey: rsa.privateKey }).sign("text"))).toBe(true);
    expect(
      pemKeys({ signingKey: ec.privateKey }).isSigned("text", pemKeys({ signingKey: rsa.privateKey }).sign("text")),
    ).toBe(false);
  });

  it("must be RSA or ECDSA keys, and the signing key private", () => {
    const edwards = pemOf(generateKeyPairSync("ed25519"));
    for (const signingKey of [ec.publicKey, "no key", edwards.privateKey]) {
      expect(() => pemKeys({ signingKey })).toThrow(expect.objectContaining({ code: "APISERVER_SERVICE_ACCOUNT_KEY" }));
    }
  });
});

describe("a token", () => {
  const claims = {
    namespace: "ns",
    name: "robot",
    uid: "u",
    audiences: ["a"],
    issuedAt: 1,
    expiresAt: 1000,
    tokenId: "t",
    bound: {},
  };

  it("is accepted from every issuer of the server, and from no other", () => {
    const keys = pemKeys({ signingKey: ec.privateKey });
    const signer = (...issuers: readonly string[]): ServiceAccountTokenSigner =>
      new ServiceAccountTokenSigner({ keys, issuers });
    const token = signer("https://old").sign(claims);
    expect(signer("https://new", "https://old").verify(token, 0)).toMatchObject({ name: "robot" });
    expect(signer("https://new").verify(token, 0)).toBeUndefined();
  });

  it("of another program with the same key is not one of a service account", () => {
    const keys = pemKeys({ signingKey: ec.privateKey });
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${encode(keys.header)}.${encode({ iss: "https://x", sub: "someone" })}`;
    const signer = new ServiceAccountTokenSigner({ keys, issuers: ["https://x"] });
    expect(signer.verify(`${text}.${keys.sign(text)}`, 0)).toBeUndefined();
  });
});

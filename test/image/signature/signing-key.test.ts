import { constants, createPublicKey, verify } from "node:crypto";

import { describe, expect, it } from "vitest";

import { SigningKeyError } from "../../../src/image/errors.ts";
import { openSigningKey } from "../../../src/image/signature/signing-key.ts";
import { generateCosignKey } from "../../support/cosign-key.ts";

// Written by cosign 2.6.5 for this test, and used nowhere else.
const RECORDED_KEY = [
  "-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----",
  "eyJrZGYiOnsibmFtZSI6InNjcnlwdCIsInBhcmFtcyI6eyJOIjo2NTUzNiwiciI6",
  "OCwicCI6MX0sInNhbHQiOiJUQlJRSUNBODFZSC9wR2NtQzAzNnRnSFZhZU5QVjZp",
  "Z1ZYUzUwR2NwNVA4PSJ9LCJjaXBoZXIiOnsibmFtZSI6Im5hY2wvc2VjcmV0Ym94",
  "Iiwibm9uY2UiOiI3N2VwbmNQeFhJY3pzRFJTbmJMRVk1b2RGRkJJakhSTCJ9LCJj",
  "aXBoZXJ0ZXh0IjoiRUMrRi9qN1NyRnVsNDlLQ3N1OEV6MG1oY3RBeWxXSkViMUFr",
  "czZJN2wwbzBrbThrZGxYdXA5VmhWQzBjNDVLbEkzdkFlTEZoSUxSNmZEQms2UHps",
  "alVFZFFQSTE0SVROcDlvM3Z0MVlXRjJUVVJxU2RYc1dDK1lBaWdOcVkxZGRLQVQ0",
  "clREL1BkcU9aaXREQjkwK3NQaHY0dVpheithdE1id0swV1hLRUM4SlhaZFZ1T3Ny",
  "a1FoVm1NR2VUYUpISVlDUjVSWWhBYXJRcEE9PSJ9",
  "-----END ENCRYPTED SIGSTORE PRIVATE KEY-----",
].join("\n");
const RECORDED_PUBLIC_KEY = [
  "-----BEGIN PUBLIC KEY-----",
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHzxLUOdRvIhGaOzuqPmJMFfGhFyv",
  "pjSyZkJNV3CK5pih8vkexrH7QSkXzVQRfkQhgVY94iNFInihUfnH01LwbA==",
  "-----END PUBLIC KEY-----",
].join("\n");
const MESSAGE = Buffer.from("message");

function open(pem: string, password: string): ReturnType<typeof openSigningKey> {
  return openSigningKey({ pem, password, name: "cosign.key" });
}

describe("openSigningKey", () => {
  it("opens a key that cosign wrote, whose signatures its public key verifies", () => {
    const key = open(RECORDED_KEY, "correct horse");
    const signature = key.sign(MESSAGE);
    expect(verify("sha256", MESSAGE, createPublicKey(RECORDED_PUBLIC_KEY), signature)).toBe(true);
    expect(key.verify(MESSAGE, signature)).toBe(true);
    expect(key.verify(Buffer.from("another"), signature)).toBe(false);
    expect(key.verify(MESSAGE, Buffer.of())).toBe(false);
  });

  it("opens a key with an empty password", () => {
    const { privateKey } = generateCosignKey("");
    expect(open(privateKey.replaceAll("SIGSTORE", "COSIGN"), "").sign(MESSAGE).byteLength).toBeGreaterThan(60);
  });

  it("signs with an RSA key, padded by PKCS #1 1.5", () => {
    const { privateKey, publicKey } = generateCosignKey("", "RSA");
    const key = open(privateKey, "");
    const signature = key.sign(MESSAGE);
    const padding = constants.RSA_PKCS1_PADDING;
    expect(verify("sha256", MESSAGE, { key: publicKey, padding }, signature)).toBe(true);
    expect(key.verify(MESSAGE, signature)).toBe(true);
  });

  it.each([
    ["a wrong password", RECORDED_KEY, "the password is wrong"],
    ["another file", RECORDED_PUBLIC_KEY, "not an encrypted private key of cosign"],
    ["a damaged file", RECORDED_KEY.replace("eyJrZGYi", "AAAAAAAA"), "it is damaged"],
    [
      "costs that cosign does not write",
      generateCosignKey("x", "P-256", { params: { N: 2 ** 30, r: 8, p: 1 } }).privateKey,
      "it is damaged",
    ],
    ["another derivation", generateCosignKey("x", "P-256", { name: "argon2id" }).privateKey, "it is damaged"],
    ["a key of another type", generateCosignKey("x", "P-384").privateKey, "it is of type secp384r1"],
  ])("refuses %s", (_, pem, text) => {
    expect(() => open(pem, "x")).toThrow(SigningKeyError);
    expect(() => open(pem, "x")).toThrow(text);
  });
});

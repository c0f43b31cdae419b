import { generateKeyPairSync } from "node:crypto";

const pem = (type: string, content: string): string => `-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`;

const CERTIFICATE = pem(
  "CERTIFICATE",
  "MIIBcjCCARmgAwIBAgIUMgq2auWEMDH3SJDkVZ+8of3NctQwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDcm93MCAXDTI2MTEyNjE5MjM1NloYDzIxMjYxMTAyMTkyMzU2WjAOMQwwCgYDVQQDDANyb3cwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASNJjDX4uTy71YaBovgDy2/Z/cqFKdakIeTEk0rtFqjsJbPDbxmeV9l4gJrI2JTAdVzvsNsery6Gg0WFAiQUUNeo1MwUTAdBgNVHQ4EFgQUzbglSWh8mCQoq7KYZjC934ibTHAwHwYDVR0jBBgwFoAUzbglSWh8mCQoq7KYZjC934ibTHAwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAWrOgRTlm5AJj0KwCKhCZC2Drm15/x7sg87WAqyWVSGAIgMmNNTqTpCkxmtX3UuxLHIP92ORKdiKwg6+Gv/XKXg/I=",
);
// Of the certificate, in two encodings.
const SEC1_KEY =
  "MHcCAQEEIAlbm8j+OHXhJpT4GwUPTmvlXal110OZ+USByCYrjxP2oAoGCCqGSM49AwEHoUQDQgAEjSYw1+Lk8u9WGgaL4A8tv2f3KhSnWpCHkxJNK7Rao7CWzw28ZnlfZeICayNiUwHVc77DbHq8uhoNFhQIkFFDXg==";
const PKCS8_KEY =
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCVubyP44deEmlPgbBQ9Oa+VdqXXXQ5n5RIHIJiuPE/ahRANCAASNJjDX4uTy71YaBovgDy2/Z/cqFKdakIeTEk0rtFqjsJbPDbxmeV9l4gJrI2JTAdVzvsNsery6Gg0WFAiQUUNe";
const KEY = pem("PRIVATE KEY", PKCS8_KEY);
const OTHER_EC = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });
const OTHER_RSA = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs1",
  format: "pem",
});

/** Pairs of a certificate and a key that Secrets of TLS have, most of them wrong. */
export const KEY_PAIRS: readonly (readonly [title: string, certificate: string, key: string])[] = [
  ["a pair", CERTIFICATE, KEY],
  ["a pair in the older encoding", CERTIFICATE, pem("EC PRIVATE KEY", SEC1_KEY)],
  ["a text before the certificate", `a\n${CERTIFICATE}`, `b\n${KEY}`],
  ["nothing", "", ""],
  ["texts", "a", "b"],
  ["no key", CERTIFICATE, "b"],
  ["switched", KEY, CERTIFICATE],
  ["two certificates", CERTIFICATE, CERTIFICATE],
  ["other blocks", pem("A", "YQ==") + pem("B", "YQ=="), KEY],
  ["other blocks as key", CERTIFICATE, pem("A", "YQ==") + pem("CERTIFICATE", "YQ==")],
  ["a chain", CERTIFICATE + pem("A", "YQ=="), KEY],
  ["an unreadable certificate", pem("CERTIFICATE", "YQ=="), KEY],
  ["an unreadable key", CERTIFICATE, pem("PRIVATE KEY", "YQ==")],
  ["a key of another certificate", CERTIFICATE, String(OTHER_EC)],
  ["a key of another type", CERTIFICATE, String(OTHER_RSA)],
];

import { createPrivateKey, type webcrypto } from "node:crypto";
import { isIP } from "node:net";

import { CertificateNameError, checkCertificateNames } from "@kubescaffold/k8s";
import type { JsonGeneralName, Name } from "@peculiar/x509";

/** The algorithm of the keys and signatures. */
export const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

type Library = typeof import("@peculiar/x509");

/** Loads the library of certificates, which few programs need. */
export async function loadLibrary(): Promise<Library> {
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

/** Generates a key that can be exported. */
export async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

/** Returns a private key as PEM text. */
export async function pemOf(privateKey: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", privateKey));
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" })
    .export({ type: "pkcs8", format: "pem" })
    .toString();
}

/**
 * Returns a name that contains texts exactly. The library reads plain strings as RFC 4514 does: `#` starts encoded bytes, and quotes and backslashes are removed.
 *
 * Fails: {@link CertificateNameError}.
 */
export function subjectName({ Name }: Library, parts: readonly (readonly ["CN" | "O", string])[]): Name {
  checkCertificateNames(
    parts.map(([, value]) => value),
    [],
  );
  return new Name(
    parts.map(([attribute, value]) => ({
      [attribute]: [PRINTABLE.test(value) ? { printableString: value } : { utf8String: value }],
    })),
  );
}

// The characters of a PrintableString; Go writes other texts in UTF-8.
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/u;

/**
 * Returns the alternative names for hosts and addresses.
 *
 * Fails: {@link CertificateNameError}.
 */
export function alternativeNames(
  dnsNames: readonly string[],
  ipAddresses: readonly string[],
): readonly JsonGeneralName[] {
  checkCertificateNames([], dnsNames);
  const invalid = ipAddresses.find((each) => isIP(each) === 0 || each.includes("%"));
  if (invalid !== undefined) throw new CertificateNameError("IP address", invalid, "it is not an address");
  return [
    ...dnsNames.map((value) => ({ type: "dns", value }) as const),
    ...ipAddresses.map((value) => ({ type: "ip", value }) as const),
  ];
}

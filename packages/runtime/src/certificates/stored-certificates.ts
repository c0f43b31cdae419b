import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";

import type { ServerNames, ValidityPeriod } from "./issue-certificates.ts";
import type { SelfSignedPair } from "./self-signed-certificate.ts";

/** The keys of the Secret. */
export const SECRET_KEYS = { bundle: "ca.crt", authorityKey: "ca.key", cert: "tls.crt", key: "tls.key" } as const;

/** A certificate that verifies others. */
export interface TrustedCertificate extends ValidityPeriod {
  /** The certificate as PEM text, always in the same layout. */
  readonly pem: string;
  readonly certificate: X509Certificate;
  readonly fingerprint: string;
}

/** A certificate of a server with its key. */
export interface ServingPair extends SelfSignedPair, ValidityPeriod {
  readonly certificate: X509Certificate;
}

/** The certificates of a Secret that can be read; the others are missing. */
export interface StoredCertificates {
  /** The authorities that clients trust; the first is the one that signs. */
  readonly authorities: readonly TrustedCertificate[];
  /** The private key of the first authority, as PEM text. */
  readonly authorityKey?: string;
  /** The certificate that all replicas serve. */
  readonly serving?: ServingPair;
  /** Whether the bundle contains the authorities and nothing else. */
  readonly isBundleClean: boolean;
}

// What a Secret holds is at most a megabyte, of which nobody needs more than this.
const LONGEST_TEXT = 65_536;
const MOST_CERTIFICATES = 16;

/** Reads the data of a Secret, each value in base64. Whatever is damaged, too large, or does not belong together is left out. */
export function readCertificates(data: Readonly<Record<string, string>>): StoredCertificates {
  const bundle = textOf(data, SECRET_KEYS.bundle);
  const authorities = parseBundle(bundle).filter(isAuthority);
  const authorityKey = keyOf(textOf(data, SECRET_KEYS.authorityKey), authorities[0]?.certificate);
  const serving = readServingPair({ cert: textOf(data, SECRET_KEYS.cert), key: textOf(data, SECRET_KEYS.key) });
  return {
    authorities,
    ...(authorityKey === undefined ? {} : { authorityKey }),
    ...(serving === undefined ? {} : { serving }),
    isBundleClean: bundle === bundleOf(authorities),
  };
}

function textOf(data: Readonly<Record<string, string>>, key: string): string {
  const encoded: unknown = Object.hasOwn(data, key) ? data[key] : "";
  if (typeof encoded !== "string" || encoded.length > 2 * LONGEST_TEXT) return "";
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return text.length > LONGEST_TEXT ? "" : text;
}

/** Returns the certificates of a PEM text that can be read, each once, and at most 16. */
export function parseBundle(text: string): readonly TrustedCertificate[] {
  if (text.length > LONGEST_TEXT) return [];
  const found = new Map<string, TrustedCertificate>();
  for (const [block] of text.matchAll(PEM_CERTIFICATE)) {
    const certificate = certificateOf(block);
    if (certificate === undefined) continue;
    const { fingerprint256: fingerprint } = certificate;
    found.set(fingerprint, { pem: certificate.toString(), certificate, fingerprint, ...validityOf(certificate) });
    if (found.size === MOST_CERTIFICATES) break;
  }
  return [...found.values()];
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/gu;

/** Returns the text of a bundle. */
export function bundleOf(certificates: readonly TrustedCertificate[]): string {
  return certificates.map(({ pem }) => pem).join("");
}

/** Reads a pair; undefined if it is damaged, or if the key is that of another certificate. */
function readServingPair({ cert, key }: SelfSignedPair): ServingPair | undefined {
  const certificate = certificateOf(cert);
  if (certificate === undefined || keyOf(key, certificate) === undefined || !isAccepted({ cert, key }))
    return undefined;
  return { cert, key, certificate, ...validityOf(certificate) };
}

// A server with a pair that OpenSSL refuses could not listen.
function isAccepted(pair: SelfSignedPair): boolean {
  try {
    createSecureContext(pair);
    return true;
  } catch {
    return false;
  }
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyOf(pem: string, certificate: X509Certificate | undefined): string | undefined {
  if (certificate === undefined) return undefined;
  try {
    const key: KeyObject = createPrivateKey(pem);
    return key.asymmetricKeyType === "ec" && certificate.checkPrivateKey(key) ? pem : undefined;
  } catch {
    return undefined;
  }
}

function validityOf({ validFrom, validTo }: X509Certificate): ValidityPeriod {
  return { notBeforeMs: Date.parse(validFrom), notAfterMs: Date.parse(validTo) };
}

function isAuthority({ certificate }: TrustedCertificate): boolean {
  return certificate.ca && certificate.publicKey.asymmetricKeyType === "ec" && isSignedBy(certificate, certificate);
}

/** Reports whether a certificate is valid at a time. */
export function isValidAt({ notBeforeMs, notAfterMs }: ValidityPeriod, nowMs: number): boolean {
  return notBeforeMs <= nowMs && nowMs < notAfterMs;
}

/** Returns the authority that signed a certificate. */
export function issuerOf(
  { certificate }: ServingPair,
  authorities: readonly TrustedCertificate[],
): TrustedCertificate | undefined {
  return authorities.find((authority) => isSignedBy(certificate, authority.certificate));
}

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
}

/** Reports whether clients accept a certificate for all names. */
export function coversNames({ certificate }: ServingPair, { dnsNames, ipAddresses }: ServerNames): boolean {
  return (
    dnsNames.every((name) => certificate.checkHost(name, { subject: "never" }) !== undefined) &&
    ipAddresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}

/** Returns the names of a certificate that another one can have as well. */
export function namesOf({ certificate }: ServingPair): ServerNames {
  const parts = (certificate.subjectAltName ?? "").split(", ").slice(0, MOST_NAMES);
  const withPrefix = (prefix: string): readonly string[] =>
    parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
  return {
    dnsNames: withPrefix("DNS:").filter((name) => HOST_NAME.test(name)),
    ipAddresses: withPrefix("IP Address:").filter((address) => isIP(address) !== 0),
  };
}

const MOST_NAMES = 32;
const HOST_NAME = /^[-\w.*]{1,253}$/u;

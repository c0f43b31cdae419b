import { createPrivateKey, type webcrypto } from "node:crypto";

import type { Extension, Name, Pkcs10CertificateRequest } from "@peculiar/x509";

import type { CertificateTerms, ReadRequest } from "../controllers/certificates/request-signer.ts";

const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";

/** Reads a certificate request in PEM; undefined if it is none, or if its signature is invalid. */
export async function readCertificateRequest(pem: string): Promise<ReadRequest | undefined> {
  const request = await verifiedRequest(pem);
  if (request === undefined) return undefined;
  const { subjectName } = request;
  const names = await alternativeNames(request);
  const ofType = (type: string): readonly string[] =>
    names.filter((each) => each.type === type).map(({ value }) => value);
  return {
    commonName: subjectName.getField("CN").at(-1) ?? "",
    organizations: subjectName.getField("O"),
    dnsNames: ofType("dns"),
    emailAddresses: ofType("email"),
    ipAddresses: ofType("ip"),
    uris: ofType("url"),
  };
}

/** Signs a certificate request in PEM: with its subject, key, and alternative names. */
export async function signCertificateRequest(
  authority: { readonly cert: string; readonly key: string },
  pem: string,
  { usages, extendedUsages, notBefore, notAfter, serialNumber }: CertificateTerms & { readonly serialNumber: string },
): Promise<string> {
  const x509 = await loadLibrary();
  const issuer = new x509.X509Certificate(authority.cert);
  const request = new x509.Pkcs10CertificateRequest(pem);
  const alternative = request.extensions.find(({ type }) => type === SUBJECT_ALTERNATIVE_NAME);
  const flags = usages.reduce((sum, bit) => sum | (1 << bit), 0);
  const extensions: Extension[] = [
    ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
    ...(extendedUsages.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension([...extendedUsages])]),
    new x509.BasicConstraintsExtension(false, undefined, true),
    ...(alternative === undefined
      ? []
      : // Alternative names are critical for whoever has no subject.
        [new x509.Extension(alternative.type, goName(request.subjectName).length === 0, alternative.value)]),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber,
    subject: goName(request.subjectName),
    issuer: issuer.subjectName,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    signingKey: await importKey(authority.key),
    publicKey: request.publicKey,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    extensions,
  });
  return `${certificate.toString("pem").trimEnd()}\n`;
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ type: "pkcs8", format: "der" });
  return await crypto.subtle.importKey("pkcs8", der, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
}

// C, O, OU, L, ST, street, postal code, CN, and serial number, in the order of Go, which drops others.
const ATTRIBUTES = ["6", "10", "11", "7", "8", "9", "17", "3", "5"].map((last) => `2.5.4.${last}`);
const SINGLE: ReadonlySet<string> = new Set(["2.5.4.3", "2.5.4.5"]);

// Go writes all values of an attribute as one relative name.
function goName(name: Name): Record<string, string[]>[] {
  return ATTRIBUTES.flatMap((identifier) => {
    const values = name.getField(identifier);
    if (values.length === 0) return [];
    return [{ [identifier]: SINGLE.has(identifier) ? values.slice(-1) : values.toSorted(byEncoding) }];
  });
}

// The lengths precede the texts.
function byEncoding(left: string, right: string): number {
  const [first, second] = [Buffer.from(left), Buffer.from(right)];
  return first.length - second.length || Buffer.compare(first, second);
}

async function verifiedRequest(pem: string): Promise<Pkcs10CertificateRequest | undefined> {
  const { Pkcs10CertificateRequest } = await loadLibrary();
  try {
    const request = new Pkcs10CertificateRequest(pem);
    return (await request.verify()) ? request : undefined;
  } catch {
    // The library throws many kinds of errors for malformed input.
    return undefined;
  }
}

async function alternativeNames(request: Pkcs10CertificateRequest) {
  const { SubjectAlternativeNameExtension } = await loadLibrary();
  const extension = request.extensions.find(({ type }) => type === SUBJECT_ALTERNATIVE_NAME);
  if (extension === undefined) return [];
  return new SubjectAlternativeNameExtension(extension.rawData).names.items;
}

async function loadLibrary(): Promise<typeof import("@peculiar/x509")> {
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

import { createPublicKey, type KeyObject } from "node:crypto";

import type { CertificateTerms, ReadRequest } from "@kubescaffold/apiserver/cluster-api";

import { identityOf, type NamedContents, readRequestNames } from "./certificate-contents.ts";
import {
  type AlternativeNames,
  type CertificateExtension,
  type NamePart,
  signedCertificate,
} from "./certificate-encoding.ts";
import { checkIssued } from "./check-issued.ts";

/** Reads a certificate request in PEM; undefined if it is none, or if its signature is invalid. */
export async function readCertificateRequest(pem: string): Promise<ReadRequest | undefined> {
  const request = await verifiedRequest(pem);
  return request === undefined ? undefined : { ...identityOf(request), ...request.names };
}

/** The authority that signs certificates. */
export interface RequestAuthority {
  readonly subject: readonly NamePart[];
  readonly key: KeyObject;
  readonly notAfter: Date;
}

/**
 * Signs a certificate request in PEM: with its subject, key, and alternative names. The certificate contains the texts that {@link readCertificateRequest}
 * returns for the checks, never bytes of the request, and is read again and compared before it is returned.
 */
export async function signCertificateRequest(
  authority: RequestAuthority,
  pem: string,
  terms: CertificateTerms & { readonly serialNumber: Uint8Array },
): Promise<string> {
  const request = await verifiedRequest(pem);
  if (request === undefined) throw new Error("the certificate request is malformed, or its signature is invalid");
  const { notBefore, notAfter, serialNumber } = terms;
  const certificate = signedCertificate(
    {
      serialNumber,
      issuer: authority.subject,
      subject: request.subject,
      notBefore,
      notAfter: notAfter < authority.notAfter ? notAfter : authority.notAfter,
      publicKey: request.publicKey,
      extensions: extensionsOf(request, terms),
    },
    authority.key,
  );
  checkIssued(certificate, request, terms);
  return certificate;
}

function extensionsOf(
  { subject, names }: NamedContents,
  { usages, extendedUsages }: CertificateTerms,
): readonly CertificateExtension[] {
  return [
    ...(usages.length === 0 ? [] : [{ kind: "key-usage", bits: usages } as const]),
    ...(extendedUsages.length === 0 ? [] : [{ kind: "extended-key-usage", usages: extendedUsages } as const]),
    { kind: "no-authority" },
    ...(countNames(names) === 0
      ? []
      : // Alternative names are critical for whoever has no subject.
        [{ kind: "alternative-names", isCritical: subject.length === 0, ...names } as const]),
  ];
}

function countNames(names: AlternativeNames): number {
  return Object.values(names).flat().length;
}

interface VerifiedRequest extends NamedContents {
  readonly publicKey: KeyObject;
}

async function verifiedRequest(pem: string): Promise<VerifiedRequest | undefined> {
  await import("reflect-metadata");
  const { Pkcs10CertificateRequest } = await import("@peculiar/x509");
  try {
    const request = new Pkcs10CertificateRequest(pem);
    if (!(await request.verify())) return undefined;
    return {
      ...readRequestNames(Buffer.from(request.rawData)),
      publicKey: createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: "der", type: "spki" }),
    };
  } catch {
    // The library throws many kinds of errors for malformed input.
    return undefined;
  }
}

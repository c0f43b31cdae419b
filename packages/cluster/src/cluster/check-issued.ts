import { X509Certificate } from "node:crypto";
// `toLegacyObject` loads a part of this module, and without the whole, Node 20 has no TLS in this process from then on.
import "node:tls";

import type { CertificateTerms } from "@kubescaffold/apiserver/cluster-api";
import { deepEqual } from "@kubescaffold/schema/values";

import { identityOf, type NamedContents, readCertificate } from "./certificate-contents.ts";
import type { NamePart } from "./certificate-encoding.ts";

type IssuedUsages = Pick<CertificateTerms, "usages" | "extendedUsages">;

/**
 * Reads a signed certificate again, and throws if it differs from its request, or if this server would authenticate another user with it: Node reads the names
 * of users with OpenSSL.
 */
export function checkIssued(pem: string, request: NamedContents, { usages, extendedUsages }: IssuedUsages): void {
  const certificate = new X509Certificate(pem);
  const { subject, names, ...issued } = readCertificate(certificate.raw);
  const { CN, O } = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
  const { commonName, organizations } = identityOf(request);
  const isEqual =
    deepEqual(sorted(subject), sorted(request.subject)) &&
    deepEqual(names, request.names) &&
    deepEqual(issued, { usages: numbersIn(usages), extendedUsages }) &&
    [CN ?? []].flat().join("\n") === commonName &&
    deepEqual([O ?? []].flat().toSorted(), organizations.toSorted());
  if (!isEqual) throw new Error("the signed certificate differs from its request");
}

function numbersIn(usages: readonly number[]): readonly number[] {
  return [...new Set(usages)].toSorted((first, second) => first - second);
}

// The values of a part have no order.
function sorted(subject: readonly NamePart[]): readonly (readonly string[])[] {
  return subject.map(([attribute, ...values]) => [attribute, ...values.toSorted()]);
}

import { type KeyObject, sign } from "node:crypto";
import { isIP } from "node:net";

import { addressBytes } from "@kubescaffold/apiserver/cluster-api";
import { CertificateNameError, checkCertificateNames } from "@kubescaffold/k8s";

import {
  bitString,
  element,
  INTEGER,
  namedBits,
  objectIdentifier,
  OCTET_STRING,
  sequence,
  SET,
  text,
  time,
  TRUE,
} from "./der.ts";

/** The contents of a certificate. */
export interface CertificateContents {
  /** Its first bit is clear and one of the next eight is set, so that the number is positive and has no leading zeros. */
  readonly serialNumber: Uint8Array;
  readonly issuer: readonly NamePart[];
  readonly subject: readonly NamePart[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly CertificateExtension[];
}

/** One part of a name: an attribute, such as the common name or an organization, and its values. */
export type NamePart = readonly [attribute: string, ...values: string[]];

/** Object identifiers of the attributes of names. */
export const NAME_ATTRIBUTES = { commonName: "2.5.4.3", organization: "2.5.4.10" } as const;

/** An extension of a certificate. */
export type CertificateExtension =
  | { readonly kind: "authority" }
  | { readonly kind: "no-authority" }
  /** Bits of the key usage, from 0 to 8. */
  | { readonly kind: "key-usage"; readonly bits: readonly number[] }
  /** Object identifiers. */
  | { readonly kind: "extended-key-usage"; readonly usages: readonly string[] }
  | ({ readonly kind: "alternative-names"; readonly isCritical?: boolean } & Partial<AlternativeNames>);

/** The alternative names of the subject of a certificate. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/**
 * Signs a certificate with a key on a curve, and returns it in PEM.
 *
 * Fails: {@link CertificateNameError} for texts that a certificate cannot contain.
 */
export function signedCertificate(contents: CertificateContents, key: KeyObject): string {
  const body = certificateBody(contents);
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(sign("sha256", body, key), 0));
  const lines = certificate.toString("base64").match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
const VERSION_3 = element(0xa0, element(INTEGER, Buffer.from([2])));
const EXTENSIONS = 0xa3;

function certificateBody(contents: CertificateContents): Buffer {
  return sequence(
    VERSION_3,
    element(INTEGER, contents.serialNumber),
    ECDSA_WITH_SHA256,
    name(contents.issuer),
    sequence(time(contents.notBefore), time(contents.notAfter)),
    name(contents.subject),
    contents.publicKey.export({ type: "spki", format: "der" }),
    element(EXTENSIONS, sequence(...contents.extensions.map((each) => extension(each)))),
  );
}

function name(parts: readonly NamePart[]): Buffer {
  return sequence(...parts.map(([attribute, ...values]) => relativeName(attribute, values)));
}

// The values of a set are in the order of their encodings.
function relativeName(attribute: string, values: readonly string[]): Buffer {
  checkCertificateNames(values, []);
  const identifier = objectIdentifier(attribute);
  const encoded = values.map((value) => sequence(identifier, text(value))).toSorted((a, b) => Buffer.compare(a, b));
  return element(SET, Buffer.concat(encoded));
}

const BASIC_CONSTRAINTS = objectIdentifier("2.5.29.19");
const KEY_USAGE = objectIdentifier("2.5.29.15");
const EXTENDED_KEY_USAGE = objectIdentifier("2.5.29.37");
const ALTERNATIVE_NAMES = objectIdentifier("2.5.29.17");

function extension(contents: CertificateExtension): Buffer {
  switch (contents.kind) {
    case "authority":
      return sequence(BASIC_CONSTRAINTS, TRUE, element(OCTET_STRING, sequence(TRUE)));
    case "no-authority":
      return sequence(BASIC_CONSTRAINTS, TRUE, element(OCTET_STRING, sequence()));
    case "key-usage":
      return sequence(KEY_USAGE, TRUE, element(OCTET_STRING, namedBits(contents.bits)));
    case "extended-key-usage":
      return sequence(
        EXTENDED_KEY_USAGE,
        element(OCTET_STRING, sequence(...contents.usages.map((each) => objectIdentifier(each)))),
      );
    case "alternative-names":
      return sequence(
        ALTERNATIVE_NAMES,
        ...(contents.isCritical === true ? [TRUE] : []),
        element(OCTET_STRING, alternativeNames(contents)),
      );
  }
}

const EMAIL_ADDRESS = 0x81;
const DNS_NAME = 0x82;
const URI = 0x86;
const IP_ADDRESS = 0x87;

function alternativeNames({
  dnsNames = [],
  emailAddresses = [],
  ipAddresses = [],
  uris = [],
}: Partial<AlternativeNames>): Buffer {
  return sequence(
    ...dnsNames.map((each) => element(DNS_NAME, ascii("host name", each))),
    ...emailAddresses.map((each) => element(EMAIL_ADDRESS, ascii("email address", each))),
    ...ipAddresses.map((each) => element(IP_ADDRESS, address(each))),
    ...uris.map((each) => element(URI, ascii("URI", each))),
  );
}

const ASCII = /^\p{ASCII}*$/u;

function ascii(kind: string, value: string): Buffer {
  if (!ASCII.test(value)) throw new CertificateNameError(kind, value, "only ASCII characters are allowed");
  return Buffer.from(value);
}

function address(value: string): Buffer {
  if (isIP(value) === 0 || value.includes("%")) {
    throw new CertificateNameError("IP address", value, "it is not an address");
  }
  return addressBytes(value);
}

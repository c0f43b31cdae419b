import { type KeyObject, sign } from "node:crypto";

import { addressBytes } from "../resources/address-ranges.ts";

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

/** One part of a name: a common name or an organization. */
export type NamePart = readonly [attribute: "CN" | "O", value: string];

/** An extension of a certificate. */
export type CertificateExtension =
  | { readonly kind: "authority" }
  /** Bits of the key usage, from 0 to 7. */
  | { readonly kind: "key-usage"; readonly bits: readonly number[] }
  | { readonly kind: "extended-key-usage"; readonly usage: "server" | "client" }
  | {
      readonly kind: "alternative-names";
      readonly dnsNames: readonly string[];
      readonly ipAddresses: readonly string[];
    };

/** Signs a certificate with a key on a curve, and returns it in PEM. */
export function signedCertificate(contents: CertificateContents, key: KeyObject): string {
  const body = certificateBody(contents);
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(sign("sha256", body, key), 0));
  const lines = certificate.toString("base64").match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

// Tags of DER.
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const TRUE = Buffer.from([0x01, 0x01, 0xff]);

// Object identifiers, encoded.
const identifier = (hex: string): Buffer =>
  Buffer.from(`06${(hex.length / 2).toString(16).padStart(2, "0")}${hex}`, "hex");
const ECDSA_WITH_SHA256 = sequence(identifier("2a8648ce3d040302"));
const ATTRIBUTES = { CN: identifier("550403"), O: identifier("55040a") };
const BASIC_CONSTRAINTS = identifier("551d13");
const KEY_USAGE = identifier("551d0f");
const EXTENDED_KEY_USAGE = identifier("551d25");
const ALTERNATIVE_NAMES = identifier("551d11");
const USAGES = { server: identifier("2b06010505070301"), client: identifier("2b06010505070302") };

const VERSION_3 = element(VERSION, element(INTEGER, Buffer.from([2])));

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
  return sequence(
    ...parts.map(([attribute, value]) =>
      element(SET, sequence(ATTRIBUTES[attribute], element(UTF8_STRING, Buffer.from(value)))),
    ),
  );
}

// From 2050 on, years have four digits.
function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/\.\d+|[-:T]/gu, "");
  return date.getUTCFullYear() < 2050
    ? element(UTC_TIME, Buffer.from(text.slice(2)))
    : element(GENERALIZED_TIME, Buffer.from(text));
}

function extension(contents: CertificateExtension): Buffer {
  switch (contents.kind) {
    case "authority":
      return sequence(BASIC_CONSTRAINTS, TRUE, element(OCTET_STRING, sequence(TRUE)));
    case "key-usage":
      return sequence(KEY_USAGE, TRUE, element(OCTET_STRING, usageBits(contents.bits)));
    case "extended-key-usage":
      return sequence(EXTENDED_KEY_USAGE, element(OCTET_STRING, sequence(USAGES[contents.usage])));
    case "alternative-names":
      return sequence(
        ALTERNATIVE_NAMES,
        element(
          OCTET_STRING,
          sequence(
            ...contents.dnsNames.map((each) => element(DNS_NAME, Buffer.from(each))),
            ...contents.ipAddresses.map((each) => element(IP_ADDRESS, addressBytes(each))),
          ),
        ),
      );
  }
}

// Bits count from the left; those after the last one that is set are unused.
function usageBits(bits: readonly number[]): Buffer {
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0);
  return bitString(Buffer.from([byte]), 7 - Math.max(...bits));
}

function bitString(bytes: Buffer, unusedBits: number): Buffer {
  return element(BIT_STRING, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return element(SEQUENCE, Buffer.concat(parts));
}

function element(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

// A length of 128 or more follows the number of its bytes.
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

import { addressOfNumber, type ReadRequest } from "@kubescaffold/apiserver/cluster-api";

import { type AlternativeNames, NAME_ATTRIBUTES, type NamePart } from "./certificate-encoding.ts";
import { SEQUENCE, SET } from "./der.ts";
import {
  ASCII,
  childrenOf,
  type DerElement,
  derElements,
  dottedIdentifier,
  MalformedDerError,
  textOf,
} from "./read-der.ts";

/** The names in a certificate or in a request for one. */
export interface NamedContents {
  /** The attributes that Go reads, in its order; all values of an attribute are one part. */
  readonly subject: readonly NamePart[];
  readonly names: AlternativeNames;
}

const NO_NAMES: AlternativeNames = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] };

/** Reads a certificate request in DER. Fails: {@link MalformedDerError} for requests that Go refuses. */
export function readRequestNames(der: Buffer): NamedContents {
  const [info] = childrenOf(der, SEQUENCE);
  const [, subject, , attributes] = derElements(contentOf(info, SEQUENCE));
  const extensions = derElements(attributes?.content ?? Buffer.of()).flatMap((each) => requestedExtensions(each));
  const identifiers = extensions.map(({ identifier }) => identifier);
  if (new Set(identifiers).size < identifiers.length) throw new MalformedDerError("an extension is requested twice");
  return { subject: subjectOf(contentOf(subject, SEQUENCE)), names: alternativeNames(extensions) };
}

/** Returns the user that a subject identifies. */
export function identityOf({ subject }: NamedContents): Pick<ReadRequest, "commonName" | "organizations"> {
  const valuesOf = (wanted: string): readonly string[] =>
    subject.flatMap(([attribute, ...values]) => (attribute === wanted ? values : []));
  return {
    commonName: valuesOf(NAME_ATTRIBUTES.commonName).at(-1) ?? "",
    organizations: valuesOf(NAME_ATTRIBUTES.organization),
  };
}

/** The names in a certificate, and the usages of its key. */
export interface ReadCertificate extends NamedContents {
  /** The bits of the key usage. */
  readonly usages: readonly number[];
  /** The object identifiers of the extended key usage. */
  readonly extendedUsages: readonly string[];
}

const EXTENSIONS = 0xa3;

/** Reads a certificate in DER. */
export function readCertificate(der: Buffer): ReadCertificate {
  const [info] = childrenOf(der, SEQUENCE);
  const parts = derElements(contentOf(info, SEQUENCE));
  const subject = parts[5];
  const found = parts.find(({ tag }) => tag === EXTENSIONS)?.content;
  const extensions = found === undefined ? [] : childrenOf(found, SEQUENCE).map((each) => readExtension(each));
  const valueOf = (wanted: string): Buffer | undefined =>
    extensions.find(({ identifier }) => identifier === wanted)?.value;
  const usage = valueOf("2.5.29.15");
  const extendedUsage = valueOf("2.5.29.37");
  return {
    subject: subjectOf(contentOf(subject, SEQUENCE)),
    names: alternativeNames(extensions),
    usages: usage === undefined ? [] : setBits(usage),
    extendedUsages: extendedUsage === undefined ? [] : childrenOf(extendedUsage, SEQUENCE).map(dottedIdentifier),
  };
}

function contentOf(element: DerElement | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new MalformedDerError("an element is missing");
  return element.content;
}

interface ReadExtension {
  readonly identifier: string;
  readonly value: Buffer;
}

const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";

// Go ignores attributes that it cannot read.
function requestedExtensions({ tag, content }: DerElement): readonly ReadExtension[] {
  if (tag !== SEQUENCE) return [];
  const [identifier, values] = derElements(content);
  if (identifier === undefined || dottedIdentifier(identifier) !== EXTENSION_REQUEST) return [];
  const [first] = derElements(contentOf(values, SET));
  return first === undefined ? [] : derElements(contentOf(first, SEQUENCE)).map((each) => readExtension(each));
}

function readExtension(element: DerElement): ReadExtension {
  const [identifier, ...rest] = derElements(contentOf(element, SEQUENCE));
  const value = rest.at(-1);
  if (identifier === undefined || value?.tag !== 0x04) throw new MalformedDerError("an extension is malformed");
  return { identifier: dottedIdentifier(identifier), value: value.content };
}

// C, O, OU, L, ST, street, postal code, CN, and serial number, in the order of Go, which drops others.
const ATTRIBUTES = ["6", "10", "11", "7", "8", "9", "17", "3", "5"].map((last) => `2.5.4.${last}`);
const SINGLE: ReadonlySet<string> = new Set(["2.5.4.3", "2.5.4.5"]);

function subjectOf(name: Buffer): readonly NamePart[] {
  const values = derElements(name).flatMap((part) => derElements(contentOf(part, SET)).map((each) => attribute(each)));
  return ATTRIBUTES.flatMap((wanted): readonly NamePart[] => {
    const found = values.flatMap(({ type, value }) => (type === wanted && value !== undefined ? [value] : []));
    if (!SINGLE.has(wanted)) return found.length === 0 ? [] : [[wanted, ...found]];
    const last = found.at(-1) ?? "";
    return last === "" ? [] : [[wanted, last]];
  });
}

function attribute(element: DerElement): { readonly type: string; readonly value: string | undefined } {
  const [type, value] = derElements(contentOf(element, SEQUENCE));
  if (type === undefined || value === undefined) throw new MalformedDerError("an attribute is malformed");
  return { type: dottedIdentifier(type), value: textOf(value) };
}

// Tags of alternative names; Go ignores other ones.
const KINDS: ReadonlyMap<number, keyof AlternativeNames> = new Map([
  [0x81, "emailAddresses"],
  [0x82, "dnsNames"],
  [0x86, "uris"],
  [0x87, "ipAddresses"],
]);

function alternativeNames(extensions: readonly ReadExtension[]): AlternativeNames {
  const extension = extensions.find(({ identifier }) => identifier === "2.5.29.17");
  if (extension === undefined) return NO_NAMES;
  const names = childrenOf(extension.value, SEQUENCE).flatMap(({ tag, content }) => {
    const kind = KINDS.get(tag);
    return kind === undefined ? [] : [{ kind, value: kind === "ipAddresses" ? address(content) : ascii(content) }];
  });
  const ofKind = (wanted: keyof AlternativeNames): readonly string[] =>
    names.filter(({ kind }) => kind === wanted).map(({ value }) => value);
  return {
    dnsNames: ofKind("dnsNames"),
    emailAddresses: ofKind("emailAddresses"),
    ipAddresses: ofKind("ipAddresses"),
    uris: ofKind("uris"),
  };
}

function ascii(content: Buffer): string {
  const text = content.toString("latin1");
  if (!ASCII.test(text)) throw new MalformedDerError("an alternative name is not ASCII");
  return text;
}

function address(content: Buffer): string {
  if (content.length !== 4 && content.length !== 16) throw new MalformedDerError("an address has another length");
  return addressOfNumber(BigInt(`0x${content.toString("hex")}`), content.length === 4 ? 4 : 6);
}

function setBits(value: Buffer): readonly number[] {
  const [bits] = derElements(value);
  const [, ...bytes] = contentOf(bits, 0x03);
  return bytes.flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte & (0x80 >> bit)) === 0 ? [] : [index * 8 + bit])),
  );
}

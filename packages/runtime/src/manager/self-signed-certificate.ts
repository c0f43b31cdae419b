import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate and its key, as PEM text. */
export interface SelfSignedPair {
  readonly cert: string;
  readonly key: string;
}

const VALID_YEARS = 1;

/** Makes a key and a certificate that it signs itself, for these names and IPv4 addresses; nobody can verify it. */
export function createSelfSignedPair(dnsNames: readonly string[], ipAddresses: readonly string[]): SelfSignedPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const name = sequence(set(sequence(oid("550403"), utf8(dnsNames[0] ?? "localhost"))));
  const publicKeyDer = publicKey.export({ type: "spki", format: "der" });
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const now = new Date();
  const toBeSigned = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(now, 0), time(now, VALID_YEARS)),
    name,
    publicKeyDer,
    tagged(3, sequence(alternativeNames(dnsNames, ipAddresses), serverUsage(), subjectKey(publicKeyDer))),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const der = sequence(toBeSigned, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${(der.toString("base64").match(/.{1,64}/gu) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function alternativeNames(dnsNames: readonly string[], ipAddresses: readonly string[]): Buffer {
  const names = [
    ...dnsNames.map((dnsName) => element(0x82, Buffer.from(dnsName, "ascii"))),
    ...ipAddresses.map((address) => element(0x87, Buffer.from(address.split(".").map(Number)))),
  ];
  return sequence(oid("551d11"), octets(sequence(...names)));
}

function serverUsage(): Buffer {
  return sequence(oid("551d25"), octets(sequence(oid("2b06010505070301"))));
}

function subjectKey(publicKeyDer: Buffer): Buffer {
  return sequence(oid("551d0e"), octets(octets(createHash("sha1").update(publicKeyDer).digest())));
}

// What follows writes DER: a tag, a length, and the content.
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) {
    return Buffer.concat([Buffer.from([tag, length]), content]);
  }
  const size = length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), size, content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, Buffer.concat(parts));
}

function tagged(number: number, content: Buffer): Buffer {
  return element(0xa0 + number, content);
}

function integer(content: Buffer): Buffer {
  return element(0x02, content);
}

function octets(content: Buffer): Buffer {
  return element(0x04, content);
}

function utf8(text: string): Buffer {
  return element(0x0c, Buffer.from(text, "utf8"));
}

function oid(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, "hex"));
}

function time(now: Date, years: number): Buffer {
  const at = new Date(now);
  at.setUTCFullYear(at.getUTCFullYear() + years);
  return element(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/gu, "").slice(2, 14)}Z`, "ascii"));
}

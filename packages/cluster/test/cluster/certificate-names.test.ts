import { X509Certificate } from "node:crypto";

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";

import { type CertificateAuthority, createCertificateAuthority } from "../../src/cluster/certificate-authority.ts";
import { readCertificateRequest } from "../../src/cluster/certificate-requests.ts";
import { checkIssued } from "../../src/cluster/check-issued.ts";
import { element, text, UTF8_STRING } from "../../src/cluster/der.ts";
import { type EncodedAttribute, encodedRequest } from "./encoded-request.ts";

const COMMON_NAME = "2.5.4.3";
const ORGANIZATION = "2.5.4.10";
const UNIT = "2.5.4.11";
const TERMS = {
  usages: [0, 2],
  extendedUsages: ["1.3.6.1.5.5.7.3.2"],
  notBefore: new Date(0),
  notAfter: new Date(4e12),
};

const SPECIAL = "#+,=\\\"'; \0\n<>/az09\u00e9\u4e2d\u{1f600}";

/** Texts with a meaning to readers of distinguished names, and any others. */
const name = fc
  .oneof(
    fc.constantFrom(
      "#0c0e73797374656d3a6d617374657273",
      "#",
      '"system:masters"',
      "\\system:masters",
      "a\\,b",
      "a,O=system:masters",
      "a+O=system:masters",
      "O=system:masters",
      " a ",
      "a\nO=system:masters",
      "jane\0system:masters",
      "\u0173-masters",
      "\ufeffa",
      "x".repeat(70_000),
    ),
    fc.string({ unit: fc.constantFrom(...Array.from(SPECIAL)) }),
    fc.string({ unit: "binary" }),
  )
  .filter((each) => each !== "" && !/\p{Surrogate}/u.test(each));

const SUBJECT = fc.record({ user: name, groups: fc.uniqueArray(name, { maxLength: 4 }) });

let authority: CertificateAuthority;
beforeAll(async () => {
  authority = await createCertificateAuthority("test-ca");
});

// OpenSSL reads the names for Node.
function namesOf(pem: string): { readonly user: string; readonly groups: readonly string[]; readonly units: unknown } {
  const { CN, O, OU } = new X509Certificate(pem).toLegacyObject().subject as unknown as Record<string, string>;
  return { user: [CN].flat().join("|"), groups: [O ?? []].flat().toSorted(), units: OU };
}

describe("the names in a certificate", () => {
  it("of a user are the given texts, regardless of their characters", async () => {
    await fc.assert(
      fc.asyncProperty(SUBJECT, async ({ user, groups }) => {
        const { cert } = await authority.issueClient({ user, groups });
        expect(namesOf(cert)).toEqual({ user, groups: groups.toSorted(), units: undefined });
      }),
      { numRuns: 60 },
    );
  });

  it("that a request led to are the texts that were read for the checks, and those of the request", async () => {
    const encoded = fc.boolean();
    await fc.assert(
      fc.asyncProperty(SUBJECT, name, encoded, async ({ user, groups }, unit, isUtf8) => {
        const encode = (value: string): Buffer => (isUtf8 ? element(UTF8_STRING, Buffer.from(value)) : text(value));
        const attributes: readonly EncodedAttribute[] = [
          [UNIT, encode(unit)],
          ...groups.map((group) => [ORGANIZATION, encode(group)] as const),
          [COMMON_NAME, encode(user)],
        ];
        const request = encodedRequest(attributes, [element(0x82, Buffer.from("a.example.com"))]);
        expect(await readCertificateRequest(request)).toMatchObject({
          commonName: user,
          organizations: groups,
          dnsNames: ["a.example.com"],
        });
        const cert = await authority.signRequest(request, TERMS);
        expect(namesOf(cert)).toEqual({ user, groups: groups.toSorted(), units: unit });
        expect(new X509Certificate(cert).subjectAltName).toBe("DNS:a.example.com");
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["a number", element(0x02, Buffer.from([7]))],
    ["a sequence with a text", element(0x30, text("system:masters"))],
    ["a text of 32-bit characters", element(0x1c, Buffer.from("\0\0\0a"))],
    ["bytes", element(0x04, Buffer.from("system:masters"))],
  ])("do not contain %s of a request, as in Go", async (_title, value) => {
    const request = encodedRequest([
      [ORGANIZATION, value],
      [COMMON_NAME, text("jane")],
    ]);
    expect(await readCertificateRequest(request)).toMatchObject({ commonName: "jane", organizations: [] });
    expect(namesOf(await authority.signRequest(request, TERMS))).toMatchObject({ user: "jane", groups: [] });
  });

  it.each([
    ["text that is not UTF-8", element(UTF8_STRING, Buffer.from([0xff])), []],
    ["printable text with other characters", element(0x13, Buffer.from("a_b")), []],
    ["a cut element", Buffer.from([UTF8_STRING, 9, 0x61]), []],
    ["an indefinite length", Buffer.from([0x30, 0x80, 0, 0]), []],
    ["a host name that is not ASCII", text("a"), [element(0x82, Buffer.from("\u00e9", "latin1"))]],
    ["a range of addresses", text("a"), [element(0x87, Buffer.from([10, 0, 0, 0, 255, 0, 0, 0]))]],
  ])("never come from a request with %s, which is invalid, as in Go", async (_title, organization, names) => {
    const request = encodedRequest([[ORGANIZATION, organization]], names);
    expect(await readCertificateRequest(request)).toBeUndefined();
    await expect(authority.signRequest(request, TERMS)).rejects.toThrow("malformed");
  });

  it("are the last of several common names of a request, as in Go, for the checks and in the certificate", async () => {
    const request = encodedRequest([
      [COMMON_NAME, text("system:admin")],
      [COMMON_NAME, text("jane")],
    ]);
    expect(await readCertificateRequest(request)).toMatchObject({ commonName: "jane" });
    expect(namesOf(await authority.signRequest(request, TERMS))).toMatchObject({ user: "jane" });
  });

  it("that are not of a known kind are left out of the alternative names", async () => {
    const other = element(0xa4, element(0x30, Buffer.of()));
    const request = encodedRequest(
      [[COMMON_NAME, text("a")]],
      [other, element(0x82, Buffer.from("a")), element(0x87, Buffer.from([127, 0, 0, 1]))],
    );
    const { subjectAltName } = new X509Certificate(await authority.signRequest(request, TERMS));
    expect(subjectAltName).toBe("DNS:a, IP Address:127.0.0.1");
  });
});

describe("createCertificateAuthority", () => {
  it.each([
    ["dnsNames", { dnsNames: ["\u0165est.com"] }],
    ["dnsNames", { dnsNames: ["a.com\0.b.com"] }],
    ["ipAddresses", { dnsNames: [], ipAddresses: ["10.0.0.1/8"] }],
    ["ipAddresses", { dnsNames: [], ipAddresses: ["fe80::1%eth0"] }],
  ])("refuses %s that a certificate would contain differently: %j", async (_title, options) => {
    await expect(authority.issueServer(options)).rejects.toMatchObject({ code: "CLIENT_CERTIFICATE_NAME" });
  });

  it("refuses a user with an unpaired surrogate, which UTF-8 replaces", async () => {
    const issued = authority.issueClient({ user: "jane", groups: ["\ud800"] });
    await expect(issued).rejects.toMatchObject({ code: "CLIENT_CERTIFICATE_NAME" });
  });
});

describe("checkIssued", () => {
  const names = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] };
  const subject = [
    [ORGANIZATION, "a", "b"],
    [COMMON_NAME, "jane"],
  ] as const;

  it.each([
    ["another group", { subject: [[ORGANIZATION, "a"] as const, subject[1]], names }, TERMS],
    ["another user", { subject: [subject[0], [COMMON_NAME, "joe"] as const], names }, TERMS],
    ["another host", { subject, names: { ...names, dnsNames: ["a"] } }, TERMS],
    ["another usage", { subject, names }, { ...TERMS, usages: [0] }],
    ["another extended usage", { subject, names }, { ...TERMS, extendedUsages: [] }],
  ])("refuses a certificate with %s than its request", async (_title, request, terms) => {
    const attributes = subject.flatMap(([attribute, ...values]) =>
      values.map((value) => [attribute, text(value)] as const),
    );
    const cert = await authority.signRequest(encodedRequest(attributes), TERMS);
    expect(() => checkIssued(cert, { subject, names }, TERMS)).not.toThrow();
    expect(() => checkIssued(cert, request, terms)).toThrow("differs from its request");
  });
});

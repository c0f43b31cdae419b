import "reflect-metadata";
import { X509Certificate } from "node:crypto";
// `toLegacyObject` loads a part of this module, and without the whole, Node 20 has no TLS in this process from then on.
import "node:tls";

import { Pkcs10CertificateRequest } from "@peculiar/x509";
import fc from "fast-check";
import { expect, it } from "vitest";

import { createCertificateRequest } from "../../src/certificates/certificate-request.ts";
import { createSelfSignedPair } from "../../src/certificates/self-signed-certificate.ts";

const SPECIAL = "#+,=\\\"'; \0\n<>/az09\u00e9\u4e2d\u{1f600}";

/** Texts with a meaning to readers of distinguished names, and any others. */
const text = fc
  .oneof(
    fc.constantFrom(
      "#0c0e73797374656d3a6d617374657273",
      '"system:masters"',
      "\\system:masters",
      "a+O=system:masters",
      " a ",
      "a\0b",
      "\ufeffa",
    ),
    fc.string({ unit: fc.constantFrom(...Array.from(SPECIAL)) }),
    fc.string({ unit: "binary" }),
  )
  .filter((each) => !/\p{Surrogate}/u.test(each));

it("a certificate request contains the texts of its subject, regardless of their characters", async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), async (commonName, organizations) => {
      const { request } = await createCertificateRequest({ commonName, organizations });
      const { subjectName } = new Pkcs10CertificateRequest(request);
      expect(subjectName.getField("CN")).toEqual([commonName]);
      expect(subjectName.getField("O")).toEqual(organizations);
    }),
    { numRuns: 60 },
  );
});

it("a self-signed certificate contains its host names exactly, or is not created", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.domain()), async (host) => {
      expect(await namesOf(host)).toEqual(
        /^[-\w.*]+$/u.test(host) ? { CN: host, alternative: `DNS:${host}` } : "CLIENT_CERTIFICATE_NAME",
      );
    }),
    { numRuns: 60 },
  );
});

it.each([
  [{ commonName: "jane\ud800" }],
  [{ commonName: "a", organizations: ["\udc00"] }],
  // The library cuts characters to their lowest byte: this would be test.com.
  [{ commonName: "a", dnsNames: ["\u0174est.com"] }],
  [{ commonName: "a", dnsNames: ["a.com\0.b.com"] }],
  [{ commonName: "a", ipAddresses: ["10.0.0.0/8"] }],
  [{ commonName: "a", ipAddresses: ["fe80::1%eth0"] }],
  [{ commonName: "a", ipAddresses: ["localhost"] }],
])("a certificate request with a name that it would contain differently is not created: %j", async (subject) => {
  await expect(createCertificateRequest(subject)).rejects.toMatchObject({ code: "CLIENT_CERTIFICATE_NAME" });
});

async function namesOf(host: string): Promise<unknown> {
  try {
    const certificate = new X509Certificate((await createSelfSignedPair([host], [])).cert);
    return { CN: certificate.toLegacyObject().subject.CN, alternative: certificate.subjectAltName };
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
}

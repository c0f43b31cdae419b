import { createPrivateKey, randomBytes, type webcrypto } from "node:crypto";

import { ALGORITHM, alternativeNames, generateKeys, loadLibrary, pemOf, subjectName } from "./certificate-names.ts";
import type { SelfSignedPair } from "./self-signed-certificate.ts";

/** The names and addresses of a server. */
export interface ServerNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** When a certificate is valid, in milliseconds since 1970. */
export interface ValidityPeriod {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

const SERVER_USAGE = "1.3.6.1.5.5.7.3.1";

/** Creates a certificate authority. Its name is unique, so that verifiers never confuse it with the one that it replaces. */
export async function issueAuthority(validity: ValidityPeriod): Promise<SelfSignedPair> {
  const x509 = await loadLibrary();
  const keys = await generateKeys();
  const { KeyUsageFlags } = x509;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: subjectName(x509, [["CN", `self-managed-ca-${randomBytes(8).toString("hex")}`]]),
    ...datesOf(validity),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

/** Creates a key, and a certificate of a server that an authority signs. Fails: `CertificateNameError`. */
export async function issueServing(
  authority: SelfSignedPair,
  { dnsNames, ipAddresses }: ServerNames,
  validity: ValidityPeriod,
): Promise<SelfSignedPair> {
  const names = alternativeNames(dnsNames, ipAddresses);
  const x509 = await loadLibrary();
  const keys = await generateKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: subjectName(x509, [["CN", "self-managed"]]).toString(),
    issuer: issuer.subjectName,
    ...datesOf(validity),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_USAGE]),
      new x509.SubjectAlternativeNameExtension([...names]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

// A positive number, which must not start with a zero byte.
function newSerialNumber(): string {
  return `01${randomBytes(15).toString("hex")}`;
}

function datesOf({ notBeforeMs, notAfterMs }: ValidityPeriod): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) };
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ type: "pkcs8", format: "der" });
  return await crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
}

import { randomBytes } from "node:crypto";

import { ALGORITHM, alternativeNames, generateKeys, loadLibrary, pemOf, subjectName } from "./certificate-names.ts";

/** A certificate and its private key, as PEM text. */
export interface SelfSignedPair {
  /** The certificate. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const SERVER_USAGE = "1.3.6.1.5.5.7.3.1";

/**
 * Creates a key and a self-signed certificate for names and addresses, valid for a year; clients verify it only if they trust the certificate itself, such as
 * with the `caBundle` of a webhook.
 *
 * Fails: `CertificateNameError` for host names that are not ASCII, and invalid addresses.
 *
 * The library is loaded on the first call, since most managers have a certificate.
 *
 * client-go: util/cert.GenerateSelfSignedCertKey
 */
export async function createSelfSignedPair(
  dnsNames: readonly string[],
  ipAddresses: readonly string[],
): Promise<SelfSignedPair> {
  const names = alternativeNames(dnsNames, ipAddresses);
  const x509 = await loadLibrary();
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `01${randomBytes(15).toString("hex")}`,
    name: subjectName(x509, [["CN", dnsNames[0] ?? "localhost"]]),
    notBefore: new Date(),
    notAfter: new Date(Date.now() + YEAR_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.SubjectAlternativeNameExtension([...names]),
      new x509.ExtendedKeyUsageExtension([SERVER_USAGE]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

import { createPrivateKey, randomBytes } from "node:crypto";

/** A certificate and its private key, as PEM text. */
export interface SelfSignedPair {
  /** The certificate. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const SERVER_USAGE = "1.3.6.1.5.5.7.3.1";

/**
 * Creates a key and a self-signed certificate for names and addresses, valid for a year; clients verify it only if they trust the certificate itself, such as
 * with the `caBundle` of a webhook.
 *
 * The library is loaded on the first call, since most managers have a certificate.
 *
 * client-go: util/cert.GenerateSelfSignedCertKey
 */
export async function createSelfSignedPair(
  dnsNames: readonly string[],
  ipAddresses: readonly string[],
): Promise<SelfSignedPair> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `01${randomBytes(15).toString("hex")}`,
    name: [{ CN: [dnsNames[0] ?? "localhost"] }],
    notBefore: new Date(),
    notAfter: new Date(Date.now() + YEAR_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        ...dnsNames.map((value) => ({ type: "dns", value }) as const),
        ...ipAddresses.map((value) => ({ type: "ip", value }) as const),
      ]),
      new x509.ExtendedKeyUsageExtension([SERVER_USAGE]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ type: "pkcs8", format: "pem" });
  return { cert: certificate.toString("pem"), key: key.toString() };
}

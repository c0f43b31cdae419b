import "reflect-metadata";
import { webcrypto } from "node:crypto";

import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A certificate and its key as PEM text. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Makes a certificate that signs itself, for names and addresses of a server or for a user. */
export async function makeCertificate(
  commonName: string,
  names: readonly { readonly type: "dns" | "ip"; readonly value: string }[] = [],
): Promise<TestCertificate> {
  cryptoProvider.set(webcrypto as never);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true),
      ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension([...names])]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    cert: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${key.match(/.{1,64}/gu)?.join("\n") ?? ""}\n-----END PRIVATE KEY-----\n`,
  };
}

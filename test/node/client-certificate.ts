import {
  ALGORITHM,
  generateKeys,
  loadLibrary,
  pemOf,
  subjectName,
} from "../../packages/runtime/src/certificates/certificate-names.ts";
import type { SelfSignedPair } from "../../packages/runtime/src/certificates/self-signed-certificate.ts";

const CLIENT_USAGE = "1.3.6.1.5.5.7.3.2";
const DAY_MS = 86_400_000;

/** Creates the certificate with which kube-apiserver calls the kubelet; it is its own authority. */
export async function clientCertificate(user: string, group: string): Promise<SelfSignedPair> {
  const x509 = await loadLibrary();
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: subjectName(x509, [
      ["O", group],
      ["CN", user],
    ]),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.ExtendedKeyUsageExtension([CLIENT_USAGE]),
    ],
  });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

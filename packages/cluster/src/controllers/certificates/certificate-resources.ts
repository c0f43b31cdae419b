/** The name of the service account of the controllers of CertificateSigningRequests. */
export const CERTIFICATE_CONTROLLER = "certificate-controller";

/** Where CertificateSigningRequests are stored and served. */
export const SIGNING_REQUESTS = {
  group: "certificates.k8s.io",
  version: "v1",
  resource: "certificatesigningrequests",
} as const;

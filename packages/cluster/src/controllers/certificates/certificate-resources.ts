/** Where CertificateSigningRequests are stored and served. */
export const SIGNING_REQUESTS = {
  group: "certificates.k8s.io",
  version: "v1",
  resource: "certificatesigningrequests",
} as const;

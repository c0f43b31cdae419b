import type { Authenticator } from "../pipeline/authenticator.ts";

/** Takes a client certificate of the server's authority for its user: the common name, and the organizations as groups. */
export const clientCertificates: Authenticator = {
  authenticate: ({ clientCertificate }) => {
    if (clientCertificate === undefined) return { kind: "none" };
    if (!clientCertificate.isVerified) return { kind: "refused" };
    return { kind: "user", user: { name: clientCertificate.commonName, groups: clientCertificate.organizations } };
  },
};

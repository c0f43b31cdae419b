import { describe, expect, it } from "vitest";

import { clientCertificates } from "../../src/authentication/authenticators.ts";
import type { ClientCertificate, ServerRequest } from "../../src/request/server-request.ts";

function requestWith(clientCertificate?: ClientCertificate): ServerRequest {
  return { clientCertificate } as ServerRequest;
}

describe("clientCertificates", () => {
  it("takes the common name for the user and the organizations for groups, of verified certificates alone", () => {
    const certificate = { commonName: "jane", organizations: ["devs"], isVerified: true };
    const user = { name: "jane", groups: ["devs"] };
    expect(clientCertificates.authenticate(requestWith(certificate))).toEqual({ kind: "user", user });
    const unverified = requestWith({ ...certificate, isVerified: false });
    expect(clientCertificates.authenticate(unverified)).toEqual({ kind: "refused" });
    expect(clientCertificates.authenticate(requestWith())).toEqual({ kind: "none" });
  });
});

import { describe, expect, it } from "vitest";

import {
  ServiceAccountTokenSigner,
  TOKEN_ISSUER,
  type ServiceAccountClaims,
} from "../../src/authentication/service-account-token.ts";

const CLAIMS: ServiceAccountClaims = {
  namespace: "n",
  name: "robot",
  uid: "u",
  audiences: [TOKEN_ISSUER],
  issuedAt: 100,
  expiresAt: 200,
  bound: {},
  tokenId: "t",
};

describe("ServiceAccountTokenSigner", () => {
  it("reads back what it signed until the token expires", () => {
    const signer = new ServiceAccountTokenSigner();
    const token = signer.sign(CLAIMS);
    expect(signer.verify(token, 199_999)).toEqual(CLAIMS);
    expect(signer.verify(token, 200_000)).toBeUndefined();
  });

  it("writes the claims of a cluster's tokens", () => {
    const payload = new ServiceAccountTokenSigner().sign(CLAIMS).split(".")[1] ?? "";
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({
      aud: [TOKEN_ISSUER],
      exp: 200,
      iat: 100,
      iss: TOKEN_ISSUER,
      jti: "t",
      "kubernetes.io": { namespace: "n", serviceaccount: { name: "robot", uid: "u" } },
      nbf: 100,
      sub: "system:serviceaccount:n:robot",
    });
  });

  it("takes no token of another signer, none that was changed, and nothing that is no token", () => {
    const signer = new ServiceAccountTokenSigner();
    const [header = "", payload = "", signature = ""] = signer.sign(CLAIMS).split(".");
    const other = Buffer.from(JSON.stringify({ ...CLAIMS, name: "root" })).toString("base64url");
    for (const token of [
      new ServiceAccountTokenSigner().sign(CLAIMS),
      `${header}.${other}.${signature}`,
      `${header}.${payload}.${signature.slice(1)}`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.`,
      `${header}.${payload}.${signature}.${signature}`,
      `.${header}.${payload}.${signature}`,
      "nonsense",
      "a.b.c",
    ])
      expect(signer.verify(token, 0)).toBeUndefined();
  });
});

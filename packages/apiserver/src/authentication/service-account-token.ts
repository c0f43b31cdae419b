import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Issuer, and default audience, of the tokens of service accounts. */
export const TOKEN_ISSUER = "https://kubernetes.default.svc.cluster.local";

/** Claims of a service account token. Times are in seconds since 1970. */
export interface ServiceAccountClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly tokenId: string;
}

/** Signs and checks the tokens of one server; those of another are not accepted. */
export class ServiceAccountTokenSigner {
  readonly #secret = randomBytes(32);

  /** Returns a JSON web token with the claims that a cluster's tokens have. */
  sign(claims: ServiceAccountClaims): string {
    const header = encode({ alg: "HS256", kid: "embedded" });
    const payload = encode({
      aud: claims.audiences,
      exp: claims.expiresAt,
      iat: claims.issuedAt,
      iss: TOKEN_ISSUER,
      jti: claims.tokenId,
      "kubernetes.io": {
        namespace: claims.namespace,
        serviceaccount: { name: claims.name, uid: claims.uid },
      },
      nbf: claims.issuedAt,
      sub: serviceAccountName(claims),
    });
    return `${header}.${payload}.${this.#signatureOf(`${header}.${payload}`)}`;
  }

  /** Returns what a token says, or nothing when this server did not sign it or it is out of date. */
  verify(token: string, nowMs: number): ServiceAccountClaims | undefined {
    const [header, payload, signature, ...others] = token.split(".");
    if (header === undefined || payload === undefined || signature === undefined || others.length > 0) return undefined;
    if (!equal(signature, this.#signatureOf(`${header}.${payload}`))) return undefined;
    const claims = decode(payload);
    return claims.expiresAt * 1000 > nowMs ? claims : undefined;
  }

  #signatureOf(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url");
  }
}

/** Returns the user name of a service account. */
export function serviceAccountName(account: { readonly namespace: string; readonly name: string }): string {
  return `system:serviceaccount:${account.namespace}:${account.name}`;
}

interface TokenPayload {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly jti: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

// Only called on payloads whose signature is ours.
function decode(payload: string): ServiceAccountClaims {
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as TokenPayload;
  const { namespace, serviceaccount } = claims["kubernetes.io"];
  return {
    namespace,
    name: serviceaccount.name,
    uid: serviceaccount.uid,
    audiences: claims.aud,
    issuedAt: claims.iat,
    expiresAt: claims.exp,
    tokenId: claims.jti,
  };
}

function equal(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

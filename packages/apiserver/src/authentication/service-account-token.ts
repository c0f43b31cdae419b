import type { BoundObjects } from "./bound-object.ts";
import { secretKey, type TokenKeys } from "./service-account-keys.ts";

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
  /** The objects that the token is bound to. */
  readonly bound: BoundObjects;
  /** When the token should have been renewed, although it is still valid. */
  readonly warnAfter?: number;
}

/** Signs and checks the tokens of one server; those of another are not accepted. */
export class ServiceAccountTokenSigner {
  /** The audiences of this server: those of tokens that request none. A token is accepted for each of them. */
  readonly audiences: readonly string[];
  readonly #issuers: readonly string[];
  readonly #keys: TokenKeys;

  /** The issuer of new tokens, and the public keys that verify them. */
  get issuer(): { readonly url: string; readonly publicKeys: TokenKeys["publicKeys"] } {
    return { url: this.#issuers[0] ?? TOKEN_ISSUER, publicKeys: this.#keys.publicKeys };
  }

  /** Signs with a secret of this process by default. Tokens are issued by the first issuer, and accepted from all. */
  constructor({
    keys = secretKey(),
    issuers = [TOKEN_ISSUER],
    audiences = issuers,
  }: {
    readonly keys?: TokenKeys;
    readonly issuers?: readonly string[];
    readonly audiences?: readonly string[];
  } = {}) {
    this.#keys = keys;
    this.#issuers = issuers;
    this.audiences = audiences;
  }

  /** Returns a JSON web token with the claims that a cluster's tokens have. */
  sign(claims: ServiceAccountClaims): string {
    const header = encode(this.#keys.header);
    const payload = encode({
      aud: claims.audiences,
      exp: claims.expiresAt,
      iat: claims.issuedAt,
      iss: this.#issuers[0],
      jti: claims.tokenId,
      "kubernetes.io": {
        namespace: claims.namespace,
        ...sortedClaims(claims.bound),
        serviceaccount: { name: claims.name, uid: claims.uid },
        ...(claims.warnAfter === undefined ? {} : { warnafter: claims.warnAfter }),
      },
      nbf: claims.issuedAt,
      sub: serviceAccountName(claims),
    });
    return `${header}.${payload}.${this.#keys.sign(`${header}.${payload}`)}`;
  }

  /** Returns what a token says, or nothing when this server did not sign it or it is out of date. */
  verify(token: string, nowMs: number): ServiceAccountClaims | undefined {
    const [header, payload, signature, ...others] = token.split(".");
    if (header === undefined || payload === undefined || signature === undefined || others.length > 0) return undefined;
    if (!this.#keys.isSigned(`${header}.${payload}`, signature)) return undefined;
    const claims = decode(payload, this.#issuers);
    return claims !== undefined && claims.expiresAt * 1000 > nowMs ? claims : undefined;
  }
}

/** Returns the user name of a service account. */
export function serviceAccountName(account: { readonly namespace: string; readonly name: string }): string {
  return `system:serviceaccount:${account.namespace}:${account.name}`;
}

interface TokenPayload {
  readonly iss: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly jti: string;
  readonly "kubernetes.io": BoundObjects & {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
  };
}

// In the order of a real token.
function sortedClaims({ node, pod, secret }: BoundObjects): BoundObjects {
  return {
    ...(node === undefined ? {} : { node }),
    ...(pod === undefined ? {} : { pod }),
    ...(secret === undefined ? {} : { secret }),
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

// Only called on payloads whose signature is accepted; another program may have signed other claims with the same key.
function decode(payload: string, issuers: readonly string[]): ServiceAccountClaims | undefined {
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Partial<TokenPayload>;
  const account = claims["kubernetes.io"];
  if (claims.iss === undefined || !issuers.includes(claims.iss) || account?.serviceaccount === undefined)
    return undefined;
  const { namespace, serviceaccount } = account;
  return {
    namespace,
    name: serviceaccount.name,
    uid: serviceaccount.uid,
    audiences: claims.aud ?? [],
    issuedAt: claims.iat ?? 0,
    expiresAt: claims.exp ?? 0,
    tokenId: claims.jti ?? "",
    bound: sortedClaims(account),
  };
}

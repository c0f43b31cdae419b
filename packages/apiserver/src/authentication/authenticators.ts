import type { Authenticator, AuthenticationResult } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { UserInfo } from "../request/request-context.ts";
import type { ServerRequest } from "../request/server-request.ts";
import {
  serviceAccountName,
  type ServiceAccountClaims,
  type ServiceAccountTokenSigner,
} from "./service-account-token.ts";

/** Takes a client certificate of the server's authority for its user: the common name, and the organizations as groups. */
export const clientCertificates: Authenticator = {
  authenticate: ({ clientCertificate }) => {
    if (clientCertificate === undefined) return { kind: "none" };
    if (!clientCertificate.isVerified) return { kind: "refused" };
    return { kind: "user", user: { name: clientCertificate.commonName, groups: clientCertificate.organizations } };
  },
};

/** Hands out bearer tokens that stand for users as long as the server runs. */
export class StaticTokens implements Authenticator {
  readonly #users = new Map<string, UserInfo>();

  /** Lets a token stand for a user from now on. */
  add(token: string, user: UserInfo): void {
    this.#users.set(token, user);
  }

  /** Returns the user that a token stands for. */
  find(token: string): UserInfo | undefined {
    return this.#users.get(token);
  }

  authenticate(request: ServerRequest): AuthenticationResult {
    const token = bearerToken(request);
    const user = token === undefined ? undefined : this.#users.get(token);
    return user === undefined ? { kind: "none" } : { kind: "user", user };
  }
}

/** Returns the bearer token of a request. */
export function bearerToken(request: Pick<ServerRequest, "header">): string | undefined {
  const match = /^\s*bearer (\S+)\s*$/iu.exec(request.header("authorization") ?? "");
  return match?.[1];
}

const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;

/** Takes tokens that the server signed for the service account they name, as long as they are meant for it and that account exists with the same uid. */
export function serviceAccounts(context: ServerContext, signer: ServiceAccountTokenSigner): Authenticator {
  return {
    authenticate: (request) => {
      const token = bearerToken(request);
      const account = token === undefined ? undefined : serviceAccountOfToken(context, signer, token);
      if (account === undefined || !account.claims.audiences.some((each) => signer.audiences.includes(each)))
        return { kind: "none" };
      return { kind: "user", user: account.user };
    },
  };
}

/** Returns the user and the claims of a service account's token, or nothing when it is not valid. */
export function serviceAccountOfToken(
  context: ServerContext,
  signer: ServiceAccountTokenSigner,
  token: string,
): { readonly user: UserInfo; readonly claims: ServiceAccountClaims } | undefined {
  const claims = signer.verify(token, context.clock.now());
  if (claims === undefined) return undefined;
  const account = context.objects.get(SERVICE_ACCOUNTS, claims);
  return account?.metadata.uid === claims.uid ? { user: userOf(claims), claims } : undefined;
}

function userOf(claims: ServiceAccountClaims): UserInfo {
  return {
    name: serviceAccountName(claims),
    uid: claims.uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${claims.namespace}`, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`JTI=${claims.tokenId}`] },
  };
}

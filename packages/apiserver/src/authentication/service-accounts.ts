import type { Authenticator } from "../pipeline/authenticator.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { UserInfo } from "../request/user-info.ts";
import {
  serviceAccountName,
  TOKEN_ISSUER,
  type ServiceAccountClaims,
  type ServiceAccountTokenSigner,
} from "./service-account-token.ts";
import { bearerToken } from "./static-tokens.ts";

const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;

/** Takes tokens that the server signed for the service account they name, as long as they are meant for it and that account exists with the same uid. */
export function serviceAccounts(context: ServerContext, signer: ServiceAccountTokenSigner): Authenticator {
  return {
    authenticate: (request) => {
      const token = bearerToken(request);
      const account = token === undefined ? undefined : serviceAccountOfToken(context, signer, token);
      if (account === undefined || !account.claims.audiences.includes(TOKEN_ISSUER)) return { kind: "none" };
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

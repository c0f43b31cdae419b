import type { Authenticator, AuthenticationResult } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { UserInfo } from "../request/request-context.ts";
import type { ServerRequest } from "../request/server-request.ts";
import { bearerToken } from "./bearer-token.ts";
import { boundProblem, type ObjectClaim } from "./bound-object.ts";
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

const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;

/** Takes tokens that the server signed for the service account they name, as long as they are meant for it and that account exists with the same uid. */
export function serviceAccounts(context: ServerContext, signer: ServiceAccountTokenSigner): Authenticator {
  return {
    authenticate: (request) => {
      const token = bearerToken(request);
      const account = token === undefined ? undefined : serviceAccountOfToken(context, signer, token);
      if (account?.kind !== "valid" || !account.claims.audiences.some((each) => signer.audiences.includes(each)))
        return { kind: "none" };
      return { kind: "user", user: account.user };
    },
  };
}

/** A token of a service account: its user and claims, or why it is invalid, in the words of kube-apiserver. */
export type AccountToken =
  | { readonly kind: "valid"; readonly user: UserInfo; readonly claims: ServiceAccountClaims }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads a service account's token; undefined if the server did not sign it, or it is out of date. */
export function serviceAccountOfToken(
  context: ServerContext,
  signer: ServiceAccountTokenSigner,
  token: string,
): AccountToken | undefined {
  const claims = signer.verify(token, context.clock.now());
  if (claims === undefined) return undefined;
  const account = context.objects.get(SERVICE_ACCOUNTS, claims);
  if (account === undefined)
    return { kind: "invalid", reason: `serviceaccounts ${JSON.stringify(claims.name)} not found` };
  const uid = account.metadata.uid ?? "";
  const problem =
    uid === claims.uid
      ? boundProblem(context, claims.namespace, claims.bound)
      : `service account UID (${uid}) does not match claim (${claims.uid})`;
  return problem === undefined ? { kind: "valid", user: userOf(claims), claims } : { kind: "invalid", reason: problem };
}

function userOf(claims: ServiceAccountClaims): UserInfo {
  return {
    name: serviceAccountName(claims),
    uid: claims.uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${claims.namespace}`, "system:authenticated"],
    extra: {
      "authentication.kubernetes.io/credential-id": [`JTI=${claims.tokenId}`],
      ...extraOf("pod", claims.bound.pod),
      ...extraOf("node", claims.bound.node),
    },
  };
}

function extraOf(kind: "pod" | "node", object: ObjectClaim | undefined): Readonly<Record<string, readonly string[]>> {
  if (object === undefined) return {};
  const prefix = `authentication.kubernetes.io/${kind}`;
  return {
    [`${prefix}-name`]: [object.name],
    ...(object.uid === undefined ? {} : { [`${prefix}-uid`]: [object.uid] }),
  };
}

import { newBadRequest, toTime } from "@kubescaffold/k8s";

import type { VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { UserInfo } from "../request/request-context.ts";
import { serviceAccountOfToken } from "./authenticators.ts";
import type { ServiceAccountTokenSigner } from "./service-account-token.ts";

const UNKNOWN_TOKEN = "invalid bearer token";
const GROUP = { group: "authentication.k8s.io", version: "v1" } as const;

/** Answers who a token stands for, and who is asking. */
export function authenticationReviews(
  context: ServerContext,
  signer: ServiceAccountTokenSigner,
  findStatic: (token: string) => UserInfo | undefined,
): readonly VirtualResource[] {
  return [
    {
      ...GROUP,
      resource: "tokenreviews",
      subresource: "",
      kind: { ...GROUP, kind: "TokenReview" },
      create: ({ object }) => ({
        ...object,
        status: reviewToken(context, { signer, findStatic }, object["spec"] as TokenReviewSpec | undefined),
      }),
    },
    {
      ...GROUP,
      resource: "selfsubjectreviews",
      subresource: "",
      kind: { ...GROUP, kind: "SelfSubjectReview" },
      create: ({ object, user }) => ({
        ...object,
        metadata: { ...object.metadata, creationTimestamp: toTime(context.clock.now()) },
        status: { userInfo: userOf(user) },
      }),
    },
  ];
}

interface TokenReviewSpec {
  readonly token?: string;
  readonly audiences?: readonly string[];
}

interface TokenSources {
  readonly signer: ServiceAccountTokenSigner;
  readonly findStatic: (token: string) => UserInfo | undefined;
}

function reviewToken(context: ServerContext, sources: TokenSources, spec: TokenReviewSpec | undefined): object {
  const token = spec?.token ?? "";
  if (token === "") throw newBadRequest("token is required for TokenReview in authentication");
  const wanted = (spec?.audiences ?? []).length === 0 ? sources.signer.audiences : (spec?.audiences ?? []);
  const account = serviceAccountOfToken(context, sources.signer, token);
  if (account?.kind === "invalid") return { user: {}, error: `[${UNKNOWN_TOKEN}, ${account.reason}]` };
  const user = account?.user ?? sources.findStatic(token);
  if (user === undefined) return { user: {}, error: UNKNOWN_TOKEN };
  // Tokens without audiences of their own are for whoever asks.
  const audiences = account === undefined ? wanted : wanted.filter((each) => account.claims.audiences.includes(each));
  if (audiences.length === 0) {
    const error = `token audiences ${quoted(account?.claims.audiences)} is invalid for the target audiences ${quoted(wanted)}`;
    return { user: {}, error: `[${UNKNOWN_TOKEN}, ${error}]` };
  }
  return { authenticated: true, user: userOf(withAuthenticated(user)), audiences };
}

function quoted(values: readonly string[] = []): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

function withAuthenticated(user: UserInfo): UserInfo {
  return user.groups.includes("system:authenticated")
    ? user
    : { ...user, groups: [...user.groups, "system:authenticated"] };
}

function userOf(user: UserInfo): object {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}

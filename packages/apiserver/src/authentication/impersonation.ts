import { goQuote } from "@kubescaffold/k8s";
import { addToList } from "@kubescaffold/platform";

import { type AuthorizationAttributes, checkPermission, denial } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { Release } from "../release/release.ts";
import { badRequest } from "../request/failures.ts";
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, type UserInfo } from "../request/request-context.ts";
import type { ServerRequest } from "../request/server-request.ts";
import { serviceAccountName } from "./service-account-token.ts";

const USER = "impersonate-user";
const GROUP = "impersonate-group";
const UID = "impersonate-uid";
const EXTRA_PREFIX = "impersonate-extra-";
const AUTHENTICATION_GROUP = "authentication.k8s.io";
const LABEL = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
const SERVICE_ACCOUNT_USER = new RegExp(
  `^system:serviceaccount:(${LABEL}):((?=.{1,253}$)${LABEL}(?:\\.${LABEL})*)$`,
  "u",
);

/** The headers of a request by which a user acts as another one. */
type ImpersonationRequest = Pick<ServerRequest, "header" | "headerNames" | "headerValues">;

/**
 * Returns the user that a request acts as: the one that its `Impersonate-` headers name, or the one who makes it.
 *
 * Fails: with 400 when there are such headers and no user among them, with 403 when the user may not impersonate all that is asked for.
 */
export async function impersonate(
  request: ImpersonationRequest,
  {
    user,
    release,
    ...pipeline
  }: { readonly user: UserInfo; readonly release: Release } & Pick<ServerContext, "authorizer" | "permissions">,
): Promise<UserInfo> {
  const identities = identitiesOf(request);
  if (identities.length === 0) return user;
  checkUser(identities, release);
  for (const identity of identities) {
    const attributes: AuthorizationAttributes = { ...attributesOf(identity), user };
    const decision = await checkPermission(pipeline, attributes);
    if (!decision.allowed) throw denial(attributes, decision);
  }
  return impersonatedUser(identities);
}

/** One thing that a request claims about the user it acts as; each needs its own permission. */
type Identity =
  | { readonly kind: "ServiceAccount"; readonly namespace: string; readonly name: string }
  | { readonly kind: "User" | "Group" | "UID"; readonly name: string }
  | { readonly kind: "UserExtra"; readonly key: string; readonly name: string };

function identitiesOf(request: ImpersonationRequest): readonly Identity[] {
  return [
    ...firstOf(request, USER).map(userIdentity),
    ...request.headerValues(GROUP).map((name) => ({ kind: "Group", name }) as const),
    ...extrasOf(request),
    ...firstOf(request, UID).map((name) => ({ kind: "UID", name }) as const),
  ];
}

function checkUser(identities: readonly Identity[], release: Release): void {
  if (identities.some(({ kind }) => kind === "User" || kind === "ServiceAccount")) return;
  throw badRequest(
    release.isEnabled("ConstrainedImpersonation")
      ? `requested ${printedUser(identities)} without impersonating a user name`
      : `requested [${identities.map((identity) => printed(identity)).join(" ")}] without impersonating a user`,
  );
}

function firstOf(request: ImpersonationRequest, name: string): readonly string[] {
  return request
    .headerValues(name)
    .slice(0, 1)
    .filter((value) => value !== "");
}

function userIdentity(name: string): Identity {
  const [, namespace, account] = SERVICE_ACCOUNT_USER.exec(name) ?? [];
  return namespace === undefined || account === undefined
    ? { kind: "User", name }
    : { kind: "ServiceAccount", namespace, name: account };
}

function extrasOf(request: ImpersonationRequest): readonly Identity[] {
  return request
    .headerNames()
    .filter((header) => header.startsWith(EXTRA_PREFIX))
    .flatMap((header) =>
      request
        .headerValues(header)
        .map((name) => ({ kind: "UserExtra", key: unescaped(header.slice(EXTRA_PREFIX.length)), name }) as const),
    );
}

// A key that is not well escaped is taken as it stands.
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key;
  }
}

// As Go prints an ObjectReference: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath.
function printed(identity: Identity): string {
  const version = identity.kind === "UID" || identity.kind === "UserExtra" ? `${AUTHENTICATION_GROUP}/v1` : "";
  const path = identity.kind === "UserExtra" ? identity.key : "";
  return `{${[identity.kind, "", identity.name, "", version, "", path].join(" ")}}`;
}

// As Go prints the fields of a user, with the names of their types.
function printedUser(identities: readonly Identity[]): string {
  const groups = identities.filter(({ kind }) => kind === "Group").map(({ name }) => name);
  const extra = [...extrasIn(identities)].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const fields = [
    `Name:""`,
    `UID:${goQuote(identities.find(({ kind }) => kind === "UID")?.name ?? "")}`,
    `Groups:${groups.length === 0 ? "[]string(nil)" : printedTexts(groups)}`,
    extra.length === 0
      ? "Extra:map[string][]string(nil)"
      : `Extra:map[string][]string{${extra.map(([key, values]) => `${goQuote(key)}:${printedTexts(values)}`).join(", ")}}`,
  ];
  return `&user.DefaultInfo{${fields.join(", ")}}`;
}

function printedTexts(texts: readonly string[]): string {
  return `[]string{${texts.map(goQuote).join(", ")}}`;
}

function extrasIn(identities: readonly Identity[]): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, string[]>();
  for (const identity of identities) {
    if (identity.kind === "UserExtra") addToList(extra, identity.key, identity.name);
  }
  return extra;
}

function attributesOf(identity: Identity): Omit<AuthorizationAttributes, "user"> {
  return {
    isResourceRequest: true,
    path: "",
    verb: "impersonate",
    group: identity.kind === "UserExtra" || identity.kind === "UID" ? AUTHENTICATION_GROUP : "",
    version: "v1",
    namespace: identity.kind === "ServiceAccount" ? identity.namespace : "",
    resource: RESOURCES[identity.kind],
    subresource: identity.kind === "UserExtra" ? identity.key : "",
    name: identity.name,
  };
}

const RESOURCES: Readonly<Record<Identity["kind"], string>> = {
  ServiceAccount: "serviceaccounts",
  User: "users",
  Group: "groups",
  UserExtra: "userextras",
  UID: "uids",
};

function impersonatedUser(identities: readonly Identity[]): UserInfo {
  const name = identities.map((identity) => userNameOf(identity)).find((each) => each !== undefined) ?? "";
  const uid = identities.find(({ kind }) => kind === "UID")?.name;
  const extra = extrasIn(identities);
  return {
    name,
    groups: withImpliedGroup(name, groupsOf(identities)),
    ...(uid === undefined ? {} : { uid }),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

function userNameOf(identity: Identity): string | undefined {
  if (identity.kind === "ServiceAccount") return serviceAccountName(identity);
  return identity.kind === "User" ? identity.name : undefined;
}

// The groups of a service account are implied unless others are asked for.
function groupsOf(identities: readonly Identity[]): readonly string[] {
  const groups = identities.filter(({ kind }) => kind === "Group").map(({ name }) => name);
  const account = identities.find((identity) => identity.kind === "ServiceAccount");
  if (groups.length > 0 || account === undefined) return groups;
  return ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
}

function withImpliedGroup(name: string, groups: readonly string[]): readonly string[] {
  if (name === ANONYMOUS.name) return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  return groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}

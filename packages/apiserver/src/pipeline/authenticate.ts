import { unauthorized } from "../request/failures.ts";
import type { ServerRequest } from "../request/server-request.ts";
import { ADMIN, ANONYMOUS, type UserInfo } from "../request/user-info.ts";
import type { Authenticator } from "./authenticator.ts";

const AUTHENTICATED = "system:authenticated";
const UNAUTHENTICATED = "system:unauthenticated";
const BEARER = /^bearer +\S/iu;

/** Finds the user of a request; fails with 401. */
export async function authenticate(
  request: ServerRequest,
  {
    authenticators,
    allowAnonymous,
  }: { readonly authenticators: readonly Authenticator[]; readonly allowAnonymous: boolean },
): Promise<UserInfo> {
  if (authenticators.length === 0) {
    return ADMIN;
  }
  for (const authenticator of authenticators) {
    const result = await authenticator.authenticate(request);
    if (result.kind === "user") {
      return withGroup(result.user);
    }
    if (result.kind === "refused") {
      throw unauthorized();
    }
  }
  // A token that nobody knows is wrong, not absent; schemes that nobody reads are no credentials.
  if (!allowAnonymous || BEARER.test(request.header("authorization") ?? "")) {
    throw unauthorized();
  }
  return ANONYMOUS;
}

function withGroup(user: UserInfo): UserInfo {
  return user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED)
    ? user
    : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

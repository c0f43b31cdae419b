import type { ServerRequest } from "../request/server-request.ts";
import type { UserInfo } from "../request/user-info.ts";

/** What an authenticator found: a user, no credentials of its kind, or credentials that are wrong (401). */
export type AuthenticationResult =
  | { readonly kind: "user"; readonly user: UserInfo }
  | { readonly kind: "none" }
  | { readonly kind: "refused" };

/**
 * Finds out who makes a request.
 *
 * The pipeline adds the group `system:authenticated` to a user that has neither it nor `system:unauthenticated`.
 */
export interface Authenticator {
  authenticate(request: ServerRequest): AuthenticationResult | Promise<AuthenticationResult>;
}

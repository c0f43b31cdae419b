import type { RequestInfo } from "../request/request-info.ts";
import type { UserInfo } from "../request/user-info.ts";

/** What is to be allowed: a user's verb on a resource or on a path. */
export interface AuthorizationAttributes extends RequestInfo {
  readonly user: UserInfo;
}

/** Whether a request is allowed; the reason becomes the end of the refusal's message. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether a user may do something. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
}

/** Allows everything. */
export const alwaysAllow: Authorizer = { authorize: () => ({ allowed: true, reason: "" }) };

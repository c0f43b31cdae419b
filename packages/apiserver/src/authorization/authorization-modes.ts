import type { Authorizer } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { MASTERS, rbacAuthorizer } from "./rbac-authorizer.ts";

/** The modes of authorization; the names are those of kube-apiserver. */
export const AUTHORIZATION_MODES = ["RBAC", "AlwaysAllow", "AlwaysDeny"] as const;

/** A mode of authorization. */
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** Returns the authorizer of several modes: the first that allows a request decides, and administrators are always allowed. */
export function authorizerOf(modes: readonly AuthorizationMode[]): (context: ServerContext) => Authorizer {
  return (context) => {
    const authorizers = modes.map((mode) => authorizerOfMode(mode, context));
    return {
      authorize: async (attributes) => {
        if (attributes.user.groups.includes(MASTERS)) return { allowed: true, reason: "" };
        const reasons: string[] = [];
        for (const authorizer of authorizers) {
          const decision = await authorizer.authorize(attributes);
          if (decision.allowed) return decision;
          if (decision.reason !== "") reasons.push(decision.reason);
        }
        return { allowed: false, reason: reasons.join("\n") };
      },
    };
  };
}

function authorizerOfMode(mode: AuthorizationMode, context: ServerContext): Authorizer {
  switch (mode) {
    case "RBAC":
      return rbacAuthorizer(context);
    case "AlwaysAllow":
      return { authorize: () => ({ allowed: true, reason: "" }) };
    case "AlwaysDeny":
      return { authorize: () => ({ allowed: false, reason: "Everything is forbidden." }) };
  }
}

import type { Authorizer } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { KUBELET_PREFIX } from "../request/kubelet-names.ts";
import { loadOnce } from "../resources/load-once.ts";
import { MASTERS, rbacAuthorizer } from "./rbac-authorizer.ts";

/** The modes of authorization; the names are those of kube-apiserver. */
export const AUTHORIZATION_MODES = ["Node", "RBAC", "AlwaysAllow", "AlwaysDeny"] as const;

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
    case "Node":
      return lazyNodeAuthorizer(context);
    case "RBAC":
      return rbacAuthorizer(context);
    case "AlwaysAllow":
      return { authorize: () => ({ allowed: true, reason: "" }) };
    case "AlwaysDeny":
      return { authorize: () => ({ allowed: false, reason: "Everything is forbidden." }) };
  }
}

// Most clusters have no kubelets but simulated ones: what decides about them is loaded with their first request.
function lazyNodeAuthorizer(context: ServerContext): Authorizer {
  const load = loadOnce(async () => (await import("./node-authorizer.ts")).nodeAuthorizer(context));
  return {
    authorize: (attributes) =>
      attributes.user.name.startsWith(KUBELET_PREFIX)
        ? load().then(async (authorizer) => await authorizer.authorize(attributes))
        : { allowed: false, reason: "" },
  };
}

import { newBadRequest } from "@kubescaffold/k8s";

import type { ServerContext } from "../pipeline/server-context.ts";
import type { VirtualResource } from "../pipeline/virtual-resource.ts";
import { rulesOf } from "./rbac-authorizer.ts";

const GROUP = { group: "authorization.k8s.io", version: "v1" } as const;

/** Answers what the asking user may do in a namespace, as `kubectl auth can-i --list` asks. */
export function selfSubjectRulesReview(context: ServerContext): VirtualResource {
  return {
    ...GROUP,
    resource: "selfsubjectrulesreviews",
    subresource: "",
    kind: { ...GROUP, kind: "SelfSubjectRulesReview" },
    create: ({ object, user }) => {
      const { namespace = "" } = (object["spec"] ?? {}) as { readonly namespace?: string };
      if (namespace === "") throw newBadRequest("no namespace on request");
      const rules = rulesOf(context, user, namespace).granted.map(({ rule }) => rule);
      const resourceRules = rules
        .filter((rule) => (rule.resources ?? []).length > 0)
        .map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames === undefined ? {} : { resourceNames }),
        }));
      const nonResourceRules = rules
        .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
      // The answer does not repeat what was asked.
      return { ...object, spec: {}, status: { resourceRules, nonResourceRules, incomplete: false } };
    },
  };
}

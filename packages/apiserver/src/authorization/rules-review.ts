import { newBadRequest } from "@kubescaffold/k8s";

import type { VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { nodeOfKubelet } from "../request/kubelet-names.ts";
import type { UserInfo } from "../request/request-context.ts";
import type { AuthorizationMode } from "./authorization-modes.ts";
import { joinErrors, type PolicyRule, rulesOf } from "./rbac-authorizer.ts";

const GROUP = { group: "authorization.k8s.io", version: "v1" } as const;

/** Answers what the asking user may do in a namespace by all modes, as `kubectl auth can-i --list` asks. */
export function selfSubjectRulesReview(context: ServerContext, modes: readonly AuthorizationMode[]): VirtualResource {
  return {
    ...GROUP,
    resource: "selfsubjectrulesreviews",
    subresource: "",
    kind: { ...GROUP, kind: "SelfSubjectRulesReview" },
    create: ({ object, user }) => {
      const { namespace = "" } = (object["spec"] ?? {}) as { readonly namespace?: string };
      if (namespace === "") throw newBadRequest("no namespace on request");
      const resolved = modes.map((mode) => rulesOfMode(mode, context, { user, namespace }));
      const rules = resolved.flatMap((one) => one.rules);
      const errors = resolved.flatMap((one) => one.errors);
      const status = {
        resourceRules: rules.filter((rule) => (rule.resources ?? []).length > 0).map(resourceRule),
        nonResourceRules: rules
          .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
          .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
        incomplete: resolved.some(({ isIncomplete }) => isIncomplete),
        ...(errors.length === 0 ? {} : { evaluationError: joinErrors(errors) }),
      };
      // The answer does not repeat what was asked.
      return { ...object, spec: {}, status };
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return { verbs, apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) };
}

interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
  readonly isIncomplete: boolean;
}

const NO_RULES: ResolvedRules = { rules: [], errors: [], isIncomplete: false };

const EVERYTHING: ResolvedRules = {
  ...NO_RULES,
  rules: [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ],
};

function rulesOfMode(
  mode: AuthorizationMode,
  context: ServerContext,
  { user, namespace }: { readonly user: UserInfo; readonly namespace: string },
): ResolvedRules {
  switch (mode) {
    case "Node":
      return nodeOfKubelet(user) === undefined
        ? NO_RULES
        : { rules: [], errors: ["node authorizer does not support user rule resolution"], isIncomplete: true };
    case "RBAC": {
      const { granted, missing } = rulesOf(context, user, namespace);
      return { rules: granted.map(({ rule }) => rule), errors: missing, isIncomplete: false };
    }
    case "AlwaysAllow":
      return EVERYTHING;
    case "AlwaysDeny":
      return NO_RULES;
  }
}

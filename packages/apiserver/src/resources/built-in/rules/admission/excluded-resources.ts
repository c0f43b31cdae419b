import { isEnabled } from "../../../../release/rule-release.ts";
import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectsIn, textsIn } from "../../../fields.ts";

// Webhooks are not called for reviews of who may do what: they could lock everyone out.
const EXCLUDED: ReadonlySet<string> = new Set([
  "selfsubjectreviews.authentication.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
]);

/** Returns a warning for each resource in the rules of webhooks for which they are never called. */
export function excludedResourceWarnings(configuration: ApiObject): readonly string[] {
  if (!isEnabled("ExcludeAdmissionWebhookVirtualResources")) return [];
  return objectsIn(configuration, "webhooks").flatMap((webhook, index) =>
    objectsIn(webhook, "rules").flatMap((rule, ruleIndex) => {
      const [groups, resources] = [textsIn(rule, "apiGroups"), textsIn(rule, "resources")];
      if (groups.includes("*") || resources.includes("*")) return [];
      const names = groups.flatMap((group) => resources.map((resource) => `${resource}.${group}`));
      return [...new Set(names)]
        .filter((name) => EXCLUDED.has(name))
        .map(
          (name) =>
            `webhooks[${String(index)}].rules[${String(ruleIndex)}]: ${name} is excluded from admission webhooks; this rule will have no effect`,
        );
    }),
  );
}

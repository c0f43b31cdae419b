import { isEnabled } from "../../../../release/rule-release.ts";
import type { ApiObject } from "../../../../storage/api-object.ts";
import { isAccessReview } from "../../../access-reviews.ts";
import { objectsIn, textsIn } from "../../../fields.ts";

/** Returns a warning for each resource in the rules of webhooks for which they are never called. */
export function excludedResourceWarnings(configuration: ApiObject): readonly string[] {
  if (!isEnabled("ExcludeAdmissionWebhookVirtualResources")) return [];
  return objectsIn(configuration, "webhooks").flatMap((webhook, index) =>
    objectsIn(webhook, "rules").flatMap((rule, ruleIndex) => {
      const [groups, resources] = [textsIn(rule, "apiGroups"), textsIn(rule, "resources")];
      if (groups.includes("*") || resources.includes("*")) return [];
      const concerned = groups.flatMap((group) => resources.map((resource) => ({ group, resource })));
      const names = concerned.filter(isAccessReview).map(({ group, resource }) => `${resource}.${group}`);
      return [...new Set(names)].map(
        (name) =>
          `webhooks[${String(index)}].rules[${String(ruleIndex)}]: ${name} is excluded from admission webhooks; this rule will have no effect`,
      );
    }),
  );
}

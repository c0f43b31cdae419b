import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectsIn, setAbsent } from "../../../fields.ts";

/** The lists of rules in the resources that a policy or a binding matches. */
export const RULE_LISTS = ["resourceRules", "excludeResourceRules"] as const;

/** Sets the defaults of the match constraints of a policy, or the match resources of a binding. */
export function setMatchResourceDefaults(resources: MutableJsonObject | undefined): void {
  setAbsent(resources, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  for (const name of RULE_LISTS) objectsIn(resources, name).forEach((rule) => setAbsent(rule, { scope: "*" }));
}

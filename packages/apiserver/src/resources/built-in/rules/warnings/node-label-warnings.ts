import { labelValueErrors } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";

/** Labels of Nodes that are deprecated, and what to use instead. */
const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Returns a warning about each deprecated key of a map; the field of a key depends on the map. */
export function labelKeyWarnings(
  labels: MutableJsonObject | undefined,
  fieldOf: (key: string) => string,
): readonly string[] {
  return Object.keys(labels ?? {}).flatMap((key) => keyWarning(key, (advice) => `${fieldOf(key)}: ${advice}`));
}

/** Returns a warning about a field that states a deprecated key. */
export function labelFieldWarning(field: string, key: string): readonly string[] {
  return keyWarning(key, (advice) => `${field}: ${key} is ${advice}`);
}

/** Returns a warning about a field that states a deprecated key, which the warning does not repeat. */
export function plainLabelWarning(field: string, key: string): readonly string[] {
  return keyWarning(key, (advice) => `${field}: ${advice}`);
}

function keyWarning(key: string, textOf: (advice: string) => string): readonly string[] {
  const advice = DEPRECATED.get(key);
  return advice === undefined ? [] : [textOf(advice)];
}

/** Returns the warnings about a term of a node selector; those of a preference also name invalid values. */
export function nodeTermWarnings(
  term: MutableJsonObject | undefined,
  at: string,
  { isPreference }: { readonly isPreference: boolean },
): readonly string[] {
  return objectsIn(term, "matchExpressions").flatMap((expression, index) => {
    const place = `${at}.matchExpressions[${index}]`;
    const values = isPreference ? textsIn(expression, "values") : [];
    return [
      ...labelFieldWarning(`${place}.key`, textIn(expression, "key")),
      ...values.flatMap((value, position) =>
        labelValueErrors(value).map((problem) => `${place}.values[${position}]: ${value} is invalid, ${problem}`),
      ),
    ];
  });
}

/** Returns the warnings about a label selector of Nodes. */
export function nodeSelectorWarnings(selector: MutableJsonObject | undefined, at: string): readonly string[] {
  return [
    ...nodeTermWarnings(selector, at, { isPreference: false }),
    ...labelKeyWarnings(objectIn(selector, "matchLabels"), (key) => `${at}.matchLabels.${key}`),
  ];
}

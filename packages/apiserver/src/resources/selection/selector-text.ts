import { formatLabelSelector, labelRequirements } from "@kubescaffold/k8s";

import { isJsonObject } from "../../request/json.ts";

/** Prints a label selector object, or a map of labels, as the text of a query. */
export function selectorText(selector: unknown): string {
  if (!isJsonObject(selector)) {
    return "";
  }
  const isSelector = "matchLabels" in selector || "matchExpressions" in selector;
  const matchLabels = selector as Record<string, string>;
  return formatLabelSelector(labelRequirements(isSelector ? selector : { matchLabels }));
}

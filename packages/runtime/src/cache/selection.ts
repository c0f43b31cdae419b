import { formatFieldSelector, matchesLabels, parseFieldSelector, parseLabelSelector } from "@kubescaffold/k8s";

import type { Selection } from "../client/options.ts";
import { CacheListOptionError } from "./errors.ts";

/** Returns a function that says whether labels are selected. Fails: `SelectorError` when the selector cannot be understood. */
export function labelMatcher(selection: Selection): (labels: Readonly<Record<string, string>>) => boolean {
  const { labels: wanted = {}, hasLabels = [], labelSelector = "" } = selection;
  const requirements = parseLabelSelector(labelSelector);
  return (labels) =>
    matchesLabels(requirements, labels) &&
    Object.entries(wanted).every(([name, value]) => labels[name] === value) &&
    hasLabels.every((name) => labels[name] !== undefined);
}

/**
 * Returns the fields that must have exact values.
 *
 * Fails: {@link CacheListOptionError} when the field selector wants anything else.
 */
export function exactFields(selection: Selection): Readonly<Record<string, string>> {
  const requirements = parseFieldSelector(selection.fieldSelector ?? "");
  const inexact = requirements.find(({ operator }) => operator === "!=");
  if (inexact !== undefined) {
    throw new CacheListOptionError(
      `by the field selector ${JSON.stringify(formatFieldSelector([inexact]))}, which is no exact match`,
    );
  }
  return { ...Object.fromEntries(requirements.map(({ field, value }) => [field, value])), ...selection.fields };
}

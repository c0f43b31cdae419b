import { labelSelectorMatcher } from "@kubescaffold/k8s";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

/** Reports whether labels are chosen. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

// A selector has tens of thousands of requirements, and is asked about every Pod of a namespace at each change of one: it is read once.
const OF_SELECTORS = new WeakMap<LabelSelector, LabelMatcher>();
const OF_LABELS = new WeakMap<Readonly<Record<string, string>>, LabelMatcher>();

/**
 * Returns the matcher of a selector of a stored object, which never changes; an absent selector chooses nothing.
 *
 * Fails: `SelectorError` when a key, a value, or an operator is invalid.
 */
export function storedSelectorMatcher(selector: LabelSelector | null | undefined): LabelMatcher {
  if (selector === null || selector === undefined) return () => false;
  const known = OF_SELECTORS.get(selector);
  if (known !== undefined) return known;
  const matcher = labelSelectorMatcher(selector);
  OF_SELECTORS.set(selector, matcher);
  return matcher;
}

/** Returns the matcher of the labels that a stored object selects by, such as a Service; no labels choose everything. */
export function storedLabelsMatcher(required: Readonly<Record<string, string>>): LabelMatcher {
  const known = OF_LABELS.get(required);
  if (known !== undefined) return known;
  const entries = Object.entries(required);
  const matcher: LabelMatcher = (labels = {}) =>
    entries.length <= Object.keys(labels).length && entries.every(([key, value]) => labels[key] === value);
  OF_LABELS.set(required, matcher);
  return matcher;
}

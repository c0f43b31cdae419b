import type { Schema } from "@kubescaffold/generators/importer";
import { matchesLabelSelector } from "@kubescaffold/k8s";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";
import { asRecord, isRecord } from "@kubescaffold/platform";

import { textOf, textsOf, type WebhookFacts } from "../manifest-facts.ts";

/** The kind of the object that a test of webhooks writes. */
export interface TestedKind {
  readonly group: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** How an object of a test comes to the webhooks of its kind. */
export interface WebhookCalls {
  /** Labels that the object needs. */
  readonly labels: Labels;
  /** The writes that call the webhook at a path, for those that are not called when an object is created and when it is updated. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** Why no webhook is called for any object of a test. */
  readonly problem: string | undefined;
}

type Labels = Readonly<Record<string, string>>;

// Tests create objects in the default namespace, which has the label of the server alone.
const NAMESPACE_LABELS = { "kubernetes.io/metadata.name": "default" };

/** Finds labels with which the webhooks of a kind are called for an object, for as many of them as possible, and the writes that call them. */
export function webhookCalls(webhooks: readonly WebhookFacts[], kind: TestedKind): WebhookCalls {
  const reachable = webhooks.filter(({ object }) => reasonAgainst(object, kind) === undefined);
  let labels: Labels = {};
  for (const { object } of reachable) {
    const next = labelsFor(selectorsOf(object, kind), labels);
    const keeps = (other: WebhookFacts): boolean =>
      !isSelected(other.object, kind, labels) || isSelected(other.object, kind, next ?? {});
    if (next !== undefined && reachable.every((each) => keeps(each))) labels = next;
  }
  const operations = new Map<string, Set<string>>();
  for (const { object } of webhooks) {
    const path = textOf(asRecord(asRecord(object["clientConfig"])["service"])["path"]);
    const known = operations.get(path) ?? new Set();
    const isCalled = reasonAgainst(object, kind) === undefined && isSelected(object, kind, labels);
    operations.set(path, new Set([...known, ...(isCalled ? operationsOf(object, kind) : [])]));
  }
  const isUsual = (called: ReadonlySet<string>): boolean => called.has("CREATE") && called.has("UPDATE");
  const isAnyCalled = [...operations.values()].some((called) => called.size > 0);
  return {
    labels,
    operations: Object.fromEntries(
      [...operations].filter(([, called]) => !isUsual(called)).map(([path, called]) => [path, [...called].toSorted()]),
    ),
    problem: isAnyCalled ? undefined : problemOf(webhooks, kind),
  };
}

function problemOf(webhooks: readonly WebhookFacts[], kind: TestedKind): string | undefined {
  const [first] = webhooks.map(({ object }) => {
    const reason = reasonAgainst(object, kind) ?? "an objectSelector that selects no object";
    return `the webhook ${textOf(object["name"])} has ${reason}`;
  });
  return first;
}

function reasonAgainst(object: Schema, kind: TestedKind): string | undefined {
  if (operationsOf(object, kind).length === 0)
    return "no rule for objects of the kind that are created, updated, or deleted";
  const conditions = object["matchConditions"];
  if (Array.isArray(conditions) && conditions.length > 0) return "matchConditions, which are not evaluated here";
  const isSkipped = kind.isNamespaced && !selects(selectorAt(object, "namespaceSelector"), NAMESPACE_LABELS);
  return isSkipped ? "a namespaceSelector that does not select the namespace default" : undefined;
}

function selectorAt(object: Schema, key: string): LabelSelector {
  const { matchLabels, matchExpressions } = asRecord(object[key]);
  const expressions: readonly unknown[] = Array.isArray(matchExpressions) ? matchExpressions : [];
  return {
    matchLabels: Object.fromEntries(
      Object.entries(asRecord(matchLabels)).map(([name, value]) => [name, String(value)]),
    ),
    matchExpressions: expressions
      .filter((each) => isRecord(each))
      .map((each) => ({
        key: textOf(each["key"]),
        operator: textOf(each["operator"]),
        values: [...textsOf(each["values"])],
      })),
  };
}

// A server refuses a selector that is invalid, so no object is selected.
function selects(selector: LabelSelector, labels: Labels): boolean {
  try {
    return matchesLabelSelector(selector, labels);
  } catch {
    return false;
  }
}

// For a Namespace, both selectors are about its own labels.
function selectorsOf(object: Schema, { group, plural }: TestedKind): readonly LabelSelector[] {
  const isNamespace = group === "" && plural === "namespaces";
  const keys = isNamespace ? ["objectSelector", "namespaceSelector"] : ["objectSelector"];
  return keys.map((key) => selectorAt(object, key));
}

function isSelected(object: Schema, kind: TestedKind, labels: Labels): boolean {
  return selectorsOf(object, kind).every((selector) => selects(selector, labels));
}

const WRITES = ["CREATE", "DELETE", "UPDATE"];

function operationsOf(object: Schema, { group, plural }: TestedKind): readonly string[] {
  const rules: readonly unknown[] = Array.isArray(object["rules"]) ? object["rules"] : [];
  const meant = rules.filter((rule) => {
    const [groups, resources] = ["apiGroups", "resources"].map((key) => textsOf(asRecord(rule)[key]));
    const isMeant = (list: readonly string[] | undefined, ...texts: readonly string[]): boolean =>
      texts.some((text) => list?.includes(text));
    return isMeant(groups, "*", group) && isMeant(resources, "*", "*/*", plural);
  });
  const operations = meant.flatMap((rule) => textsOf(asRecord(rule)["operations"]));
  return operations.includes("*") ? WRITES : WRITES.filter((each) => operations.includes(each));
}

/** Returns given labels with those that selectors want, or nothing where they contradict each other or the given ones. */
function labelsFor(selectors: readonly LabelSelector[], given: Labels): Labels | undefined {
  const expressions = selectors.flatMap(({ matchLabels = {}, matchExpressions }) => [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: "In", values: [value] })),
    ...(matchExpressions ?? []),
  ]);
  const labels = new Map(Object.entries(given));
  for (const { key, operator } of expressions) {
    if (labels.has(key) || (operator !== "In" && operator !== "Exists")) continue;
    const value = candidates(expressions.filter((each) => each.key === key)).at(0);
    if (value === undefined) return undefined;
    labels.set(key, value);
  }
  const found = Object.fromEntries(labels);
  return selectors.every((selector) => selects(selector, found)) ? found : undefined;
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

// The values that all expressions about one key allow.
function candidates(expressions: readonly Expression[]): readonly string[] {
  if (expressions.some(({ operator }) => operator === "DoesNotExist")) return [];
  const lists = expressions.filter(({ operator }) => operator === "In").map(({ values }) => values ?? []);
  const refused = expressions.filter(({ operator }) => operator === "NotIn").flatMap(({ values }) => values ?? []);
  const [first, ...others] = lists;
  // One more value than there are refused ones.
  const free = ["true", ...refused.map((_, index) => `value-${index}`)];
  return (first ?? free).filter((each) => others.every((list) => list.includes(each)) && !refused.includes(each));
}

import type { LabelSelector } from "./api/meta/v1.ts";
import { compareStrings, goQuote } from "./go-format.ts";
import { integerOf, newLabelRequirement, type LabelOperator, type LabelRequirement } from "./label-requirement.ts";
import { parseLabelRequirements } from "./label-selector-parser.ts";
import { SelectorError } from "./selector-error.ts";

/** Labels of an object; one without labels has none. */
export type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Reads a selector in text form, `app=web,tier in (a,b),!legacy`; an empty text chooses everything.
 *
 * Fails: {@link SelectorError} with upstream's message.
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  return byKey(parseLabelRequirements(text));
}

/**
 * Turns the selector of an object into requirements; an empty one chooses everything.
 *
 * Fails: {@link SelectorError} when a key, a value or an operator is wrong.
 */
export function labelRequirements(selector: LabelSelector): readonly LabelRequirement[] {
  const exact = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    newLabelRequirement({ key, operator: "=", values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }) =>
    newLabelRequirement(
      { key, operator: labelOperator(operator), values: values ?? [] },
      values?.length ? values : null,
    ),
  );
  return byKey([...exact, ...expressions]);
}

/** Says whether all requirements hold for the labels. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => meets(requirement, labels ?? {}));
}

/** Says whether the selector of an object chooses the labels; an absent selector chooses nothing. */
export function matchesLabelSelector(selector: LabelSelector | null | undefined, labels: Labels): boolean {
  return selector !== null && selector !== undefined && matchesLabels(labelRequirements(selector), labels);
}

/** Prints requirements as a selector in text form. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(",");
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function labelOperator(operator: string): LabelOperator {
  const known = OPERATORS.get(operator);
  if (known === undefined) throw new SelectorError(`${goQuote(operator)} is not a valid label selector operator`);
  return known;
}

function meets({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "in":
    case "=":
    case "==":
      return value !== undefined && values.includes(value);
    case "notin":
    case "!=":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
    case "lt":
      return compares(operator, integerOf(value ?? ""), integerOf(values[0] ?? ""));
  }
}

function compares(operator: "gt" | "lt", value: bigint | undefined, limit: bigint | undefined): boolean {
  if (value === undefined || limit === undefined) return false;
  return operator === "gt" ? value > limit : value < limit;
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = values.toSorted(compareStrings).join(",");
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${list})`;
    case "gt":
      return `${key}>${list}`;
    case "lt":
      return `${key}<${list}`;
    case "=":
    case "==":
    case "!=":
      return `${key}${operator}${list}`;
  }
}

function byKey(requirements: readonly LabelRequirement[]): readonly LabelRequirement[] {
  return requirements.toSorted((a, b) => compareStrings(a.key, b.key));
}

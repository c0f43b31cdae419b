import type { LabelSelector } from "../api/meta/v1.ts";
import { SelectorError } from "../failures/errors.ts";
import { compareStrings, goQuote } from "../fields/go-format.ts";
import { integerOf, newLabelRequirement, type LabelOperator, type LabelRequirement } from "./label-requirement.ts";
import { parseLabelRequirements } from "./label-selector-parser.ts";

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

/** Reports whether all requirements hold for the labels. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => meets(requirement, labels ?? {}));
}

/** Reports whether the selector of an object chooses the labels; an absent selector chooses nothing. */
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

type Meets = (value: string | undefined, values: readonly string[]) => boolean;

const isOneOf: Meets = (value, values) => value !== undefined && values.includes(value);
const isNoneOf: Meets = (value, values) => value === undefined || !values.includes(value);

const MEETS: Readonly<Record<LabelOperator, Meets>> = {
  in: isOneOf,
  "=": isOneOf,
  "==": isOneOf,
  notin: isNoneOf,
  "!=": isNoneOf,
  exists: (value) => value !== undefined,
  "!": (value) => value === undefined,
  gt: (value, [limit]) => compares("gt", integerOf(value ?? ""), integerOf(limit ?? "")),
  lt: (value, [limit]) => compares("lt", integerOf(value ?? ""), integerOf(limit ?? "")),
};

function meets({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  return MEETS[operator](Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

function compares(operator: "gt" | "lt", value: bigint | undefined, limit: bigint | undefined): boolean {
  if (value === undefined || limit === undefined) return false;
  return operator === "gt" ? value > limit : value < limit;
}

const FORMATS: Readonly<Record<LabelOperator, (key: string, values: string) => string>> = {
  exists: (key) => key,
  "!": (key) => `!${key}`,
  in: (key, values) => `${key} in (${values})`,
  notin: (key, values) => `${key} notin (${values})`,
  gt: (key, values) => `${key}>${values}`,
  lt: (key, values) => `${key}<${values}`,
  "=": (key, values) => `${key}=${values}`,
  "==": (key, values) => `${key}==${values}`,
  "!=": (key, values) => `${key}!=${values}`,
};

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  return FORMATS[operator](key, values.toSorted(compareStrings).join(","));
}

function byKey(requirements: readonly LabelRequirement[]): readonly LabelRequirement[] {
  return requirements.toSorted((a, b) => compareStrings(a.key, b.key));
}

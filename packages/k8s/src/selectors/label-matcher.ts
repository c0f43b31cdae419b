import type { LabelSelector } from "../api/meta/v1.ts";
import { integerOf, type LabelRequirement } from "./label-requirement.ts";
import { type Labels, labelRequirements } from "./label-selector.ts";

/**
 * Returns a function that reports whether all requirements hold for labels; use it to match many objects.
 *
 * Guarantees: a call looks at each label once, and at each key of the requirements at most once, regardless of the number of requirements and values.
 */
export function labelMatcher(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const rules = new Map<string, Rule>();
  for (const requirement of requirements) {
    const known = rules.get(requirement.key) ?? NO_RULE;
    rules.set(requirement.key, narrowed(known, requirement));
  }
  const required = [...rules].filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  return (labels = {}) => {
    const keys = Object.keys(labels);
    if (required.length > keys.length || !required.every((key) => Object.hasOwn(labels, key))) return false;
    return keys.every((key) => admits(rules.get(key) ?? NO_RULE, labels[key] ?? ""));
  };
}

/**
 * Returns a function that reports whether the selector of an object chooses labels, like `matchesLabelSelector`, for many objects; an absent selector chooses
 * nothing.
 *
 * Fails: `SelectorError` when a key, a value, or an operator is invalid.
 */
export function labelSelectorMatcher(selector: LabelSelector | null | undefined): (labels: Labels) => boolean {
  return selector === null || selector === undefined ? () => false : labelMatcher(labelRequirements(selector));
}

/** All requirements on one key. */
interface Rule {
  readonly isRequired: boolean;
  readonly isForbidden: boolean;
  /** The only values; undefined if there is no such limit. */
  readonly among: ReadonlySet<string> | undefined;
  readonly except: Set<string>;
  readonly above: bigint | undefined;
  readonly below: bigint | undefined;
}

const NO_RULE: Rule = {
  isRequired: false,
  isForbidden: false,
  among: undefined,
  except: new Set(),
  above: undefined,
  below: undefined,
};

function narrowed(rule: Rule, { operator, values }: LabelRequirement): Rule {
  switch (operator) {
    case "in":
    case "=":
    case "==": {
      const { among } = rule;
      const both = among === undefined ? new Set(values) : new Set(values.filter((value) => among.has(value)));
      return { ...rule, isRequired: true, among: both };
    }
    case "notin":
    case "!=":
      // The set grows in place, so that many requirements take no more time than many values.
      return { ...rule, except: withValues(rule, values) };
    case "exists":
      return { ...rule, isRequired: true };
    case "!":
      return { ...rule, isForbidden: true };
    case "gt":
    case "lt": {
      const limit = integerOf(values[0] ?? "");
      if (limit === undefined) return { ...rule, isRequired: true, isForbidden: true };
      const isTighter = (known: bigint | undefined): boolean =>
        known === undefined || (operator === "gt" ? limit > known : limit < known);
      if (operator === "gt") return { ...rule, isRequired: true, above: isTighter(rule.above) ? limit : rule.above };
      return { ...rule, isRequired: true, below: isTighter(rule.below) ? limit : rule.below };
    }
  }
}

function withValues({ except }: Rule, values: readonly string[]): Set<string> {
  const all = except === NO_RULE.except ? new Set<string>() : except;
  for (const value of values) all.add(value);
  return all;
}

function admits({ isForbidden, among, except, above, below }: Rule, value: string): boolean {
  if (isForbidden || except.has(value) || among?.has(value) === false) return false;
  if (above === undefined && below === undefined) return true;
  const integer = integerOf(value);
  return integer !== undefined && (above === undefined || integer > above) && (below === undefined || integer < below);
}

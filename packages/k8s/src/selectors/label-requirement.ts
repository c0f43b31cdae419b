import { SelectorError } from "../failures/errors.ts";
import { type FieldError, aggregateFieldErrors, fieldErrorToString, invalidField } from "../fields/field-errors.ts";
import { labelValueErrors, qualifiedNameErrors } from "../fields/names.ts";

/** The operator of a requirement. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One requirement of a selector. */
export interface LabelRequirement {
  /** The label key. */
  readonly key: string;
  /** The operator that compares the label with the values. */
  readonly operator: LabelOperator;
  /** The values; empty for `exists` and `!`. */
  readonly values: readonly string[];
}

/**
 * Validates a requirement and returns it.
 *
 * Fails: {@link SelectorError} with upstream's message.
 */
export function newLabelRequirement(
  requirement: LabelRequirement,
  shownValues: readonly string[] | null = requirement.values,
): LabelRequirement {
  const errors = [
    ...labelKeyErrors("key", requirement.key),
    ...countErrors(requirement, shownValues),
    ...requirement.values.flatMap((value, index) => valueErrors(requirement, value, index)),
  ];
  if (errors.length > 0) throw new SelectorError(aggregateFieldErrors(errors));
  return requirement;
}

/** Checks the key of a requirement that has no path. */
export function checkLabelKey(key: string): void {
  const [error] = labelKeyErrors("<nil>", key);
  if (error !== undefined) throw new SelectorError(fieldErrorToString(error));
}

function labelKeyErrors(field: string, key: string): readonly FieldError[] {
  const problems = qualifiedNameErrors(key);
  return problems.length === 0 ? [] : [invalidField(field, key, problems.join("; "))];
}

interface CountRule {
  readonly holds: (count: number) => boolean;
  readonly otherwise: string;
}

const SOME: CountRule = {
  holds: (count) => count > 0,
  otherwise: "for 'in', 'notin' operators, values set can't be empty",
};
const ONE: CountRule = {
  holds: (count) => count === 1,
  otherwise: "exact-match compatibility requires one single value",
};
const NONE: CountRule = {
  holds: (count) => count === 0,
  otherwise: "values set must be empty for exists and does not exist",
};
const ONE_LIMIT: CountRule = {
  holds: (count) => count === 1,
  otherwise: "for 'Gt', 'Lt' operators, exactly one value is required",
};
const COUNTS: Readonly<Record<LabelOperator, CountRule>> = {
  in: SOME,
  notin: SOME,
  "=": ONE,
  "==": ONE,
  "!=": ONE,
  exists: NONE,
  "!": NONE,
  gt: ONE_LIMIT,
  lt: ONE_LIMIT,
};

function countErrors({ operator, values }: LabelRequirement, shown: readonly string[] | null): readonly FieldError[] {
  const { holds, otherwise } = COUNTS[operator];
  return [
    ...(holds(values.length) ? [] : [invalidField("values", shown, otherwise)]),
    ...(operator === "gt" || operator === "lt" ? limitErrors(values) : []),
  ];
}

function limitErrors(values: readonly string[]): readonly FieldError[] {
  return values.flatMap((value, index) =>
    integerOf(value) === undefined
      ? [invalidField(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
      : [],
  );
}

function valueErrors({ key }: LabelRequirement, value: string, index: number): readonly FieldError[] {
  const problems = labelValueErrors(value);
  return problems.length === 0 ? [] : [invalidField(`values[${index}][${key}]`, value, problems.join("; "))];
}

/** Reads a text as an integer of 64 bits. */
export function integerOf(text: string): bigint | undefined {
  // Longer ones do not fit, and their conversion takes more than linear time.
  if (!/^[-+]?0*\d{1,19}$/.test(text)) return undefined;
  const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

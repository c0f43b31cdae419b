import { fieldErrorToString, type FieldError } from "./field-error.ts";
import { aggregateFieldErrors, invalidField } from "./field-errors.ts";
import { labelValueErrors, qualifiedNameErrors } from "./names.ts";
import { SelectorError } from "./selector-error.ts";

/** How a requirement compares a label with its values. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One requirement of a selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/**
 * Checks a requirement and returns it.
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

function countErrors({ operator, values }: LabelRequirement, shown: readonly string[] | null): readonly FieldError[] {
  const invalid = (detail: string): readonly FieldError[] => [invalidField("values", shown, detail)];
  switch (operator) {
    case "in":
    case "notin":
      return values.length === 0 ? invalid("for 'in', 'notin' operators, values set can't be empty") : [];
    case "=":
    case "==":
    case "!=":
      return values.length === 1 ? [] : invalid("exact-match compatibility requires one single value");
    case "exists":
    case "!":
      return values.length === 0 ? [] : invalid("values set must be empty for exists and does not exist");
    case "gt":
    case "lt":
      return [
        ...(values.length === 1 ? [] : invalid("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...values.flatMap((value, index) =>
          integerOf(value) === undefined
            ? [invalidField(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
            : [],
        ),
      ];
  }
}

function valueErrors({ key }: LabelRequirement, value: string, index: number): readonly FieldError[] {
  const problems = labelValueErrors(value);
  return problems.length === 0 ? [] : [invalidField(`values[${index}][${key}]`, value, problems.join("; "))];
}

/** Reads a text as a whole number of 64 bits. */
export function integerOf(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

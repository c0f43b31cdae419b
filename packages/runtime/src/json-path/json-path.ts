import { goJson, goNumber } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { JsonPathMismatchError } from "./errors.ts";
import { parseTemplate, type Path, type PathStep, type Slice, type TemplatePart } from "./json-path-parser.ts";

/** Options of {@link compileJsonPath}. */
export interface JsonPathOptions {
  /** Selects nothing where a field is missing; otherwise, this is an error. Default: false. */
  readonly allowMissingKeys?: boolean;
}

/**
 * A compiled JSONPath template.
 *
 * client-go: util/jsonpath.JSONPath
 */
export interface JsonPath {
  /** Returns the selected values of each part of the template; a text is its own value. Fails: `JsonPathMismatchError`. */
  find(value: unknown): readonly (readonly unknown[])[];
  /** Prints the template with the selected values, separated by spaces, as kubectl does. Fails: `JsonPathMismatchError`. */
  print(value: unknown): string;
}

/**
 * Compiles a JSONPath template in the syntax of kubectl: texts, and in braces fields, indexes and slices, wildcards, unions, filters, recursive descent, and ranges.
 *
 * For paths that users configure; in code, a path is a property access.
 *
 * Fails: `JsonPathSyntaxError`.
 *
 * client-go: util/jsonpath.New
 *
 * @example
 * const ready = compileJsonPath('{.status.conditions[?(@.type=="Ready")].status}', { allowMissingKeys: true });
 * console.log(ready.print(deployment) === "True");
 */
export function compileJsonPath(template: string, { allowMissingKeys = false }: JsonPathOptions = {}): JsonPath {
  const parts = parseTemplate(template);
  const find = (value: unknown): readonly (readonly unknown[])[] =>
    evaluateParts(parts, value, { allowMissing: allowMissingKeys, budget: { left: MOST_VALUES } });
  return {
    find,
    print: (value) =>
      find(value)
        .map((values) => values.map(printValue).join(" "))
        .join(""),
  };
}

/** One evaluation of a template. */
interface Run {
  readonly allowMissing: boolean;
  readonly budget: { left: number };
}

// Each recursive descent multiplies the values by the levels of the object.
const MOST_VALUES = 10_000_000;

function charged(values: readonly unknown[], { budget }: Run): readonly unknown[] {
  budget.left -= values.length;
  if (budget.left < 0) throw new JsonPathMismatchError(`it looks at more than ${String(MOST_VALUES)} values`);
  return values;
}

function evaluateParts(parts: readonly TemplatePart[], value: unknown, run: Run): readonly (readonly unknown[])[] {
  return parts.flatMap((part): readonly (readonly unknown[])[] => {
    switch (part.kind) {
      case "text":
        return [[part.text]];
      case "path":
        return [evaluate(part.path, [value], run)];
      case "range":
        return evaluate(part.path, [value], run).flatMap((item) => evaluateParts(part.body, item, run));
      default:
        return part satisfies never;
    }
  });
}

function evaluate(path: Path, values: readonly unknown[], run: Run): readonly unknown[] {
  return path.reduce((current, step) => take(step, current, run), values);
}

function take(step: PathStep, values: readonly unknown[], run: Run): readonly unknown[] {
  switch (step.kind) {
    case "literal":
      return values.length === 0 && typeof step.value !== "string" ? [] : [step.value];
    case "field":
      return fieldsOf(step.name, values, run);
    case "wildcard":
      return values.flatMap((value) => charged(childrenOf(value), run));
    case "recursive":
      return values.flatMap((value) => containersIn(value, run));
    case "slice":
      return values.filter(isPresent).flatMap((value) => charged(itemsOf(value, step.slice), run));
    case "union":
      return step.paths.flatMap((path) => evaluate(path, values, run));
    case "filter":
      return values.flatMap((value) => charged(listOf(value), run).filter((item) => passes(step, item, run)));
    default:
      return step satisfies never;
  }
}

function fieldsOf(name: string, values: readonly unknown[], run: Run): readonly unknown[] {
  const fields = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
  if (fields.length === 0 && values.length > 0 && !run.allowMissing) {
    throw new JsonPathMismatchError(`there is no field ${JSON.stringify(name)}`);
  }
  return fields;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

// Objects and lists with contents, each before those in it.
function containersIn(value: unknown, run: Run): readonly unknown[] {
  const found: unknown[] = [];
  const later: unknown[] = [value];
  while (later.length > 0) {
    const next = later.pop();
    const children = charged(childrenOf(next), run);
    if (children.length > 0) found.push(next);
    for (const child of children.toReversed()) if (childrenOf(child).length > 0) later.push(child);
  }
  return found;
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new JsonPathMismatchError("only items of lists have an index or a filter");
  return value;
}

function itemsOf(value: unknown, { start: first = 0, end: last, isIndex, step = 1 }: Slice): readonly unknown[] {
  const list = listOf(value);
  const start = first < 0 ? first + list.length : first;
  const isFromEnd = last !== undefined && (last < 0 || (last === 0 && isIndex));
  const end = isFromEnd ? last + list.length : (last ?? list.length);
  if (start === end) return [];
  if (start < 0 || start >= list.length || end < 0 || end > list.length || start > end) {
    throw new JsonPathMismatchError(`an index is outside of a list of ${String(list.length)} items`);
  }
  if (step <= 0) throw new JsonPathMismatchError("the step of a slice must be positive");
  return list.slice(start, end).filter((_, index) => index % step === 0);
}

type Filter = Extract<PathStep, { readonly kind: "filter" }>;

function passes({ left, operator, right }: Filter, item: unknown, run: Run): boolean {
  if (operator === "") return exists(left, item, run);
  const [lefts, rights] = [evaluate(left, [item], run), evaluate(right, [item], run)];
  if (lefts.length > 1 || rights.length > 1) throw new JsonPathMismatchError("only single values can be compared");
  if (lefts.length === 0 || rights.length === 0) return false;
  return compare(lefts[0], operator, rights[0]);
}

function exists(path: Path, item: unknown, run: Run): boolean {
  try {
    return evaluate(path, [item], { ...run, allowMissing: true }).length > 0;
  } catch (error) {
    if (error instanceof JsonPathMismatchError && run.budget.left >= 0) return false;
    throw error;
  }
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  const kind = basicKind(left);
  if (kind !== basicKind(right)) throw new JsonPathMismatchError("values of different types cannot be compared");
  if (operator === "==") return left === right || (kind === "integer" && isEqualInteger(left, right));
  if (operator === "!=") return !compare(left, "==", right);
  if (kind === "boolean") throw new JsonPathMismatchError("booleans have no order");
  const isLess = (left as number) < (right as number);
  if (operator === "<") return isLess;
  if (operator === ">=") return !isLess;
  const isEqual = compare(left, "==", right);
  return operator === "<=" ? isLess || isEqual : !isLess && !isEqual;
}

function basicKind(value: unknown): string {
  if (typeof value === "bigint" || Number.isInteger(value)) return "integer";
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return typeof value;
  throw new JsonPathMismatchError("only texts, numbers, and booleans can be compared");
}

function isEqualInteger(left: unknown, right: unknown): boolean {
  return BigInt(left as number) === BigInt(right as number);
}

function printValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  return typeof value === "boolean" ? String(value) : goJson(value);
}

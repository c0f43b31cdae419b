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
  const find = (value: unknown): readonly (readonly unknown[])[] => evaluateParts(parts, value, allowMissingKeys);
  return {
    find,
    print: (value) =>
      find(value)
        .map((values) => values.map(printValue).join(" "))
        .join(""),
  };
}

function evaluateParts(
  parts: readonly TemplatePart[],
  value: unknown,
  allowMissing: boolean,
): readonly (readonly unknown[])[] {
  return parts.flatMap((part): readonly (readonly unknown[])[] => {
    switch (part.kind) {
      case "text":
        return [[part.text]];
      case "path":
        return [evaluate(part.path, [value], allowMissing)];
      case "range":
        return evaluate(part.path, [value], allowMissing).flatMap((item) =>
          evaluateParts(part.body, item, allowMissing),
        );
      default:
        return part satisfies never;
    }
  });
}

function evaluate(path: Path, values: readonly unknown[], allowMissing: boolean): readonly unknown[] {
  return path.reduce((current, step) => take(step, current, allowMissing), values);
}

function take(step: PathStep, values: readonly unknown[], allowMissing: boolean): readonly unknown[] {
  switch (step.kind) {
    case "literal":
      return values.length === 0 && typeof step.value !== "string" ? [] : [step.value];
    case "field":
      return fieldsOf(step.name, values, allowMissing);
    case "wildcard":
      return values.flatMap(childrenOf);
    case "recursive":
      return values.flatMap(containersIn);
    case "slice":
      return values.filter(isPresent).flatMap((value) => itemsOf(value, step.slice));
    case "union":
      return step.paths.flatMap((path) => evaluate(path, values, allowMissing));
    case "filter":
      return values.flatMap((value) => listOf(value).filter((item) => passes(step, item, allowMissing)));
    default:
      return step satisfies never;
  }
}

function fieldsOf(name: string, values: readonly unknown[], allowMissing: boolean): readonly unknown[] {
  const fields = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
  if (fields.length === 0 && values.length > 0 && !allowMissing) {
    throw new JsonPathMismatchError(`there is no field ${JSON.stringify(name)}`);
  }
  return fields;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

// Objects and lists with contents, each before those in it.
function containersIn(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const later: unknown[] = [value];
  while (later.length > 0) {
    const next = later.pop();
    const children = childrenOf(next);
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

function passes({ left, operator, right }: Filter, item: unknown, allowMissing: boolean): boolean {
  if (operator === "") return exists(left, item);
  const [lefts, rights] = [evaluate(left, [item], allowMissing), evaluate(right, [item], allowMissing)];
  if (lefts.length > 1 || rights.length > 1) throw new JsonPathMismatchError("only single values can be compared");
  if (lefts.length === 0 || rights.length === 0) return false;
  return compare(lefts[0], operator, rights[0]);
}

function exists(path: Path, item: unknown): boolean {
  try {
    return evaluate(path, [item], true).length > 0;
  } catch (error) {
    if (error instanceof JsonPathMismatchError) return false;
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

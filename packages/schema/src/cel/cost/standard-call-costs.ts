import { entriesOf, remember, unionOfEntries, type CostWalk } from "./cost-walk.ts";
import type { CallEstimate, Operand, OverloadCall } from "./operand.ts";
import { add, fixed, multiply, scale, type Span, union, UNKNOWN, wrap } from "./ranges.ts";

/** What reading a text once costs for every character. */
export const TEXT_FACTOR = 0.1;
/** What a character of a regular expression costs for every unit of the text. */
export const REGEXP_FACTOR = 0.25;

/** Estimates the functions of the language itself whose cost depends on sizes; undefined for those that cost 1. */
export function standardCost(walk: CostWalk, call: OverloadCall): CallEstimate | undefined {
  switch (call.overload) {
    case "string_format":
      return call.target === undefined ? undefined : withArgs(call, scale(known(call.target), TEXT_FACTOR));
    case "string_to_bytes":
      return conversion(call, ({ min, max }) => ({ min, max: wrap(max * 4n) }));
    case "bytes_to_string":
      return conversion(call, ({ min, max }) => ({ min: min / 4n, max }));
    case "strings_quote":
      return conversion(call, ({ min, max }) => ({ min: wrap(min + 2n), max: wrap(max * 2n + 2n) }));
    case "starts_with_string":
    case "ends_with_string":
      return onArg(call, 0, TEXT_FACTOR);
    case "in_list":
      return onArg(call, 1, 1);
    case "matches_string":
      return matching(call);
    case "contains_string":
      return containing(call);
    case "logical_or":
    case "logical_and":
      return logical(call);
    case "conditional":
      return conditional(walk, call);
    case "add_string":
    case "add_bytes":
    case "add_list":
      return concatenation(walk, call);
    default:
      return COMPARISONS.has(call.overload) ? comparison(call) : undefined;
  }
}

const COMPARISONS: ReadonlySet<string> = new Set([
  "equals",
  "not_equals",
  ...["less", "less_equals", "greater", "greater_equals"].flatMap((name) => [`${name}_string`, `${name}_bytes`]),
]);

function known(operand: Operand): Span {
  return operand.size ?? UNKNOWN;
}

function withArgs(call: OverloadCall, cost: Span, size?: Span): CallEstimate {
  return { cost: add(cost, ...call.costs), size };
}

function conversion(call: OverloadCall, sizeFrom: (size: Span) => Span): CallEstimate | undefined {
  const [arg] = call.args;
  return arg === undefined || call.args.length !== 1
    ? undefined
    : withArgs(call, scale(known(arg), TEXT_FACTOR), sizeFrom(known(arg)));
}

function onArg(call: OverloadCall, index: number, factor: number): CallEstimate | undefined {
  const arg = call.args[index];
  return arg === undefined ? undefined : withArgs(call, scale(known(arg), factor));
}

// An empty text costs as much as a character, for the expression is costly on its own.
function matching(call: OverloadCall): CallEstimate | undefined {
  const { target, args } = call;
  const [pattern] = args;
  if (target === undefined || pattern === undefined) {
    return undefined;
  }
  const text = scale(add(known(target), fixed(1n)), TEXT_FACTOR);
  return withArgs(call, multiply(text, scale(known(pattern), REGEXP_FACTOR)));
}

function containing(call: OverloadCall): CallEstimate | undefined {
  const { target, args } = call;
  const [part] = args;
  return target === undefined || part === undefined
    ? undefined
    : withArgs(call, multiply(scale(known(target), TEXT_FACTOR), scale(known(part), TEXT_FACTOR)));
}

function logical({ costs }: OverloadCall): CallEstimate | undefined {
  const [left, right] = costs;
  return left === undefined || right === undefined ? undefined : { cost: { min: left.min, max: add(left, right).max } };
}

function conditional(walk: CostWalk, { node, args, costs }: OverloadCall): CallEstimate | undefined {
  const [, yes, no] = args;
  const [conditionCost, yesCost, noCost] = costs;
  if (yes?.node === undefined || no?.node === undefined) {
    return undefined;
  }
  if (conditionCost === undefined || yesCost === undefined || noCost === undefined) {
    return undefined;
  }
  remember(walk, node, { entries: unionOfEntries(entriesOf(walk, yes.node), entriesOf(walk, no.node)) });
  return { cost: add(conditionCost, union(yesCost, noCost)), size: union(known(yes), known(no)) };
}

function concatenation(walk: CostWalk, call: OverloadCall): CallEstimate | undefined {
  const [left, right] = call.args;
  if (left?.node === undefined || right?.node === undefined) {
    return undefined;
  }
  const size = add(known(left), known(right));
  remember(walk, call.node, { entries: unionOfEntries(entriesOf(walk, left.node), entriesOf(walk, right.node)) });
  return withArgs(call, call.overload === "add_list" ? fixed(1n) : scale(size, TEXT_FACTOR), size);
}

function comparison(call: OverloadCall): CallEstimate | undefined {
  const [left, right] = call.args;
  if (left === undefined || right === undefined) {
    return undefined;
  }
  const maxima = [known(left).max, known(right).max] as const;
  const max = maxima[0] < maxima[1] ? maxima[0] : maxima[1];
  return withArgs(call, scale({ min: max > 0n ? 1n : 0n, max }, TEXT_FACTOR));
}

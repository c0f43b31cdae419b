import { isSameType } from "../values/cel-type.ts";
import type { CostWalk } from "./cost-walk.ts";
import { ACCESSORS } from "./function-names.ts";
import { type CallEstimate, itemsOperand, type Operand, type OverloadCall, sizeOfOperand } from "./operand.ts";
import { add, fixed, MAX_UINT64, multiply, plus, scale, type Span, wrap } from "./ranges.ts";
import { REGEXP_FACTOR, TEXT_FACTOR } from "./standard-call-costs.ts";

const ONE: CallEstimate = { cost: fixed(1n) };
/** The bytes of an address, of either version. */
const ADDRESS: Span = { min: 4n, max: 16n };
/** The longest regular expression of a named format. */
const LONGEST_FORMAT_PATTERN = 128;
/** The longest name of a format. */
const LONGEST_FORMAT = 64n;

/** Estimates the functions of Kubernetes' own libraries; undefined for all others. */
export function libraryCost(walk: CostWalk, call: OverloadCall): CallEstimate | undefined {
  const { node, target, args } = call;
  const [first] = args;
  if (ACCESSORS.has(node.function) || call.overload === "cidr_ip") {
    return ONE;
  }
  if (node.function === "_==_") {
    return equalityCost(args);
  }
  return (
    (target === undefined ? undefined : methodCost(walk, call, target)) ??
    (first === undefined ? undefined : argumentCost(walk, call, first))
  );
}

function methodCost(walk: CostWalk, { node, args }: OverloadCall, target: Operand): CallEstimate | undefined {
  const size = sizeOfOperand(walk, target);
  const [first] = args;
  switch (node.function) {
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return { cost: traversalCost(walk, target, size) };
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
      return { cost: scale(size, TEXT_FACTOR), size };
    case "replace":
      return replaceCost(walk, args, size);
    case "split":
      return { cost: scale(size, 2 * TEXT_FACTOR), size: { min: 0n, max: limitOf(args[1]) ?? size.max } };
    case "join":
      return joinCost(walk, { target, size, separator: first });
    case "find":
    case "findAll":
      return first === undefined ? undefined : findCost(size, sizeOfOperand(walk, first));
    default:
      return undefined;
  }
}

function argumentCost(walk: CostWalk, { node, overload }: OverloadCall, first: Operand): CallEstimate | undefined {
  const size = sizeOfOperand(walk, first);
  const reading = scale(size, TEXT_FACTOR);
  switch (node.function) {
    case "url":
    case "jsonpatch.escapeKey":
      return { cost: reading, size };
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "ip":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return { cost: reading };
    case "ip.isCanonical":
      return { cost: scale(size, 2 * TEXT_FACTOR) };
    case "containsIP":
      return { cost: add(ADDRESS_COST, overload === "cidr_contains_ip_string" ? reading : fixed(0n)) };
    case "containsCIDR":
      return { cost: add(RANGE_COST, overload === "cidr_contains_cidr_string" ? reading : fixed(0n)) };
    case "validate":
      return { cost: scale(reading, LONGEST_FORMAT_PATTERN * REGEXP_FACTOR) };
    default:
      return undefined;
  }
}

const ADDRESS_COST = scale(add(ADDRESS, ADDRESS), TEXT_FACTOR);
const RANGE_COST = add(ADDRESS_COST, scale(ADDRESS, TEXT_FACTOR), fixed(1n));

// One for every item, and for texts the reading of them; a text itself is read once.
function traversalCost(walk: CostWalk, target: Operand, size: Span): Span {
  const items = itemsOperand(target);
  if (items === undefined) {
    return scale(size, TEXT_FACTOR);
  }
  const isText = items.type.kind === "string" || items.type.kind === "bytes";
  const reading = isText ? scale(sizeOfOperand(walk, items), TEXT_FACTOR) : fixed(0n);
  return multiply(size, add(fixed(1n), reading));
}

function replaceCost(walk: CostWalk, args: readonly Operand[], size: Span): CallEstimate | undefined {
  const [searched, replacement] = args;
  if (searched === undefined || replacement === undefined) {
    return undefined;
  }
  const from = sizeOfOperand(walk, searched);
  const to = sizeOfOperand(walk, replacement);
  const longest = replaced({ size: size.max, from: from.min, to: to.max, isDull: to.max <= from.min });
  const shortest = replaced({ size: size.min, from: from.max, to: to.min, isDull: from.max <= to.min });
  return { cost: scale(size, 2 * TEXT_FACTOR), size: { min: shortest, max: longest } };
}

interface Replacement {
  readonly size: bigint;
  readonly from: bigint;
  readonly to: bigint;
  /** Whether replacing does not bring the size nearer to the bound that is sought. */
  readonly isDull: boolean;
}

// Where nothing is replaced, the replacement stands around every character.
function replaced({ size, from, to, isDull }: Replacement): bigint {
  if (from === 0n) {
    return plus(multiply(fixed(plus(size, 1n)), fixed(to)).max, size);
  }
  return isDull ? size : multiply(fixed(quotient(size, from)), fixed(to)).max;
}

function quotient(dividend: bigint, divisor: bigint): bigint {
  const result = Math.ceil(Number(dividend) / Number(divisor));
  return result >= 2 ** 64 ? MAX_UINT64 : BigInt(result);
}

function limitOf(operand: Operand | undefined): bigint | undefined {
  const node = operand?.node;
  return node?.kind === "literal" && typeof node.value === "bigint" ? wrap(node.value) : undefined;
}

function joinCost(
  walk: CostWalk,
  {
    target,
    size,
    separator,
  }: { readonly target: Operand; readonly size: Span; readonly separator: Operand | undefined },
): CallEstimate {
  const items = itemsOperand(target);
  const texts = items === undefined ? fixed(0n) : multiply(size, sizeOfOperand(walk, items));
  const gaps = { min: size.min > 0n ? size.min - 1n : 0n, max: size.max > 0n ? size.max - 1n : 0n };
  const separators = separator === undefined ? fixed(0n) : multiply(sizeOfOperand(walk, separator), gaps);
  const joined = add(texts, separators);
  return { cost: scale(joined, TEXT_FACTOR), size: joined };
}

function findCost(text: Span, pattern: Span): CallEstimate {
  const reading = scale(add(text, fixed(1n)), TEXT_FACTOR);
  return { cost: multiply(reading, scale(pattern, REGEXP_FACTOR)), size: { min: 0n, max: text.max } };
}

const EQUAL_AT_ONCE: ReadonlySet<string> = new Set(["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"]);

function equalityCost(args: readonly Operand[]): CallEstimate | undefined {
  const [left, right] = args;
  if (left === undefined || right === undefined || !isSameType(left.type, right.type)) {
    return undefined;
  }
  const { name } = left.type;
  if (EQUAL_AT_ONCE.has(name)) {
    return ONE;
  }
  if (name === "kubernetes.NamedFormat") {
    return { cost: scale({ min: 1n, max: LONGEST_FORMAT }, TEXT_FACTOR) };
  }
  // Upstream looks at the right side only.
  return name === "kubernetes.URL" ? { cost: scale({ min: 1n, max: right.size?.max ?? 1n }, TEXT_FACTOR) } : undefined;
}

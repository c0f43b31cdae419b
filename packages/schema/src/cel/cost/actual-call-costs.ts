import { characterCount } from "../../text/character-count.ts";
import type { ObservedCall } from "../evaluator/evaluation-observer.ts";
import { CelOptional } from "../values/cel-optional.ts";
import { CelList, CelMap, CelObject, type CelValue } from "../values/cel-value.ts";
import { CelFormat } from "../values/named-format.ts";
import { ACCESSORS } from "./function-names.ts";
import { REGEXP_FACTOR, TEXT_FACTOR } from "./standard-call-costs.ts";

const NEW_LIST = 10;

/** Returns what a call costs, by the sizes of its operands or its result. */
export function callCost(call: ObservedCall): number {
  return listCost(call) ?? libraryCost(call) ?? standardCost(call);
}

function listCost({ overload, args, result }: ObservedCall): number | undefined {
  switch (overload) {
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
      return 1 + sizeAt(args, 0) * sizeAt(args, 1);
    case "list_sets_equivalent_list":
      return 1 + 2 * sizeAt(args, 0) * sizeAt(args, 1);
    case "list_slice":
    case "lists_range":
    case "list_reverse":
      return newList(result === undefined ? 0 : actualSize(result));
    case "list_flatten":
      return newList(sizeAt(args, 0));
    case "list_flatten_int":
      return newList(sizeAt(args, 0) * (typeof args[1] === "bigint" ? Number(args[1]) : 1));
    case "list_distinct":
      return comparisonCost(args[0]);
    default:
      return sortCost(overload, args);
  }
}

function sortCost(overload: string, args: readonly CelValue[]): number | undefined {
  const match = /^list_.+_(sort|sortByAssociatedKeys)$/.exec(overload);
  return match === null ? undefined : comparisonCost(match[1] === "sort" ? args[0] : args[1]);
}

// Every item is compared with every other, twice; texts cost a little more.
function comparisonCost(list: CelValue | undefined): number {
  const size = list === undefined ? 0 : actualSize(list);
  const first = list instanceof CelList && list.length > 0 ? list.at(0) : undefined;
  const isText = typeof first === "string" || first instanceof Uint8Array;
  return newList(size * size * (isText ? 2 + TEXT_FACTOR : 2));
}

function newList(work: number): number {
  return Math.trunc(work) + 1 + NEW_LIST;
}

function libraryCost(call: ObservedCall): number | undefined {
  const { args, overload } = call;
  if (ACCESSORS.has(call.function) || overload === "cidr_ip") {
    return 1;
  }
  const reading = (factor = 1): number => textCost(sizeAt(args, 0) * factor);
  switch (call.function) {
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return args[0] === undefined ? 0 : traversalCost(args[0]);
    case "url":
    case "jsonpatch.escapeKey":
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "ip":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return reading();
    case "replace":
    case "split":
    case "ip.isCanonical":
      return reading(2);
    case "join":
      return textCost((call.result === undefined ? 0 : actualSize(call.result)) * 2);
    case "find":
    case "findAll":
      return textCost(1 + sizeAt(args, 0)) * patternCost(sizeAt(args, 1));
    default:
      return addressCost(call) ?? formatCost(call) ?? authorizationCost(call) ?? equalityCost(call);
  }
}

const CHECK_COST = 350_000;
const NEW_REQUIREMENT = 50;
const BUILDERS = /^(?:authorizer_(?:path|group|serviceaccount)|(?:groupcheck|resourcecheck|decision)_\w+)$/;

function authorizationCost({ function: name, overload, args }: ObservedCall): number | undefined {
  switch (name) {
    case "check":
      return CHECK_COST;
    case "fieldSelector":
    case "labelSelector": {
      const length = sizeAt(args, 1);
      return NEW_LIST + textCost(length) + Math.ceil(length / 2) * NEW_REQUIREMENT;
    }
    default:
      return BUILDERS.test(overload) ? 1 : undefined;
  }
}

function addressCost(call: ObservedCall): number | undefined {
  const { args, overload } = call;
  const comparison = textCost(sizeAt(args, 0) * 2);
  const reading = overload.endsWith("_string") ? textCost(sizeAt(args, 1)) : 0;
  switch (call.function) {
    case "containsIP":
      return comparison + reading;
    case "containsCIDR":
      return comparison + textCost(sizeAt(args, 0)) + 1 + reading;
    default:
      return undefined;
  }
}

function formatCost(call: ObservedCall): number | undefined {
  const [format, text] = call.args;
  return call.function === "validate" && format instanceof CelFormat && text !== undefined
    ? textCost(1 + actualSize(text)) * patternCost(format.patternLength)
    : undefined;
}

const EQUAL_AT_ONCE: ReadonlySet<string> = new Set([
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "kubernetes.NamedFormat",
  "kubernetes.URL",
]);

function equalityCost(call: ObservedCall): number | undefined {
  const [left] = call.args;
  return call.function === "_==_" && left instanceof CelObject && EQUAL_AT_ONCE.has(left.type.name) ? 1 : undefined;
}

function standardCost({ overload, args }: ObservedCall): number {
  switch (overload) {
    case "starts_with_string":
    case "ends_with_string":
    case "string_to_bytes":
    case "bytes_to_string":
    case "strings_quote":
    case "string_format":
      return textCost(sizeAt(args, 0));
    case "in_list":
      return sizeAt(args, 1);
    case "add_string":
    case "add_bytes":
      return textCost(sizeAt(args, 0) + sizeAt(args, 1));
    case "matches_string":
      return textCost(1 + sizeAt(args, 0)) * patternCost(sizeAt(args, 1));
    case "contains_string":
      return textCost(sizeAt(args, 0)) * textCost(sizeAt(args, 1));
    default:
      return COMPARISON.test(overload) ? textCost(Math.min(sizeAt(args, 0), sizeAt(args, 1))) : 1;
  }
}

const COMPARISON = /^(?:(?:not_)?equals|(?:less|greater)(?:_equals)?_(?:string|bytes))$/;

function sizeAt(args: readonly CelValue[], index: number): number {
  const value = args[index];
  return value === undefined ? 1 : actualSize(value);
}

function textCost(size: number): number {
  return Math.ceil(size * TEXT_FACTOR);
}

function patternCost(size: number): number {
  return Math.ceil(size * REGEXP_FACTOR);
}

function traversalCost(value: CelValue): number {
  if (typeof value === "string") {
    return Math.trunc(Buffer.byteLength(value) * TEXT_FACTOR);
  }
  if (value instanceof Uint8Array) {
    return Math.trunc(value.length * TEXT_FACTOR);
  }
  if (value instanceof CelList) {
    let sum = 0;
    for (let index = 0; index < value.length; index++) sum += traversalCost(value.at(index));
    return sum;
  }
  if (value instanceof CelMap) {
    return value
      .keys()
      .reduce<number>((sum, key) => sum + traversalCost(key) + traversalCost(value.find(key) ?? null), 0);
  }
  return 1;
}

/** Returns the size by which a value counts: characters, bytes, items, members; 1 for what has no size. */
function actualSize(value: CelValue): number {
  if (typeof value === "string") {
    return characterCount(value);
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  if (value instanceof CelOptional) {
    return value.held === undefined ? 1 : actualSize(value.held);
  }
  return value instanceof CelObject ? Number(value.size() ?? 1n) : 1;
}

import { concatValues } from "../../values/cel-list.ts";
import { compareNumbers, intOf, isNumber, uintOf } from "../../values/cel-number.ts";
import { CelDuration, CelTimestamp, durationOf, timestampOf } from "../../values/cel-time.ts";
import { CelError, CelList, CelMap, CelUint, type CelValue } from "../../values/cel-value.ts";
import { compareBytes, compareTexts, noSuchOverload } from "../../values/equality.ts";
import type { Invoke, Operations } from "./invoke.ts";

/** Implements operators, by function: they look at the kinds of their arguments themselves. */
export const OPERATORS: Operations = {
  "!_": (value = null) => (typeof value === "boolean" ? !value : noSuchOverload()),
  "@not_strictly_false": (value = null) => (typeof value === "boolean" ? value : true),
  "_+_": (left = null, right = null) => add(left, right),
  "_-_": (left = null, right = null) => subtract(left, right),
  "_*_": arithmetic("_*_", { int: (a, b) => a * b, double: (a, b) => a * b }),
  "_/_": arithmetic("_/_", { int: (a, b) => divide(a, b), double: (a, b) => a / b }),
  "_%_": arithmetic("_%_", { int: (a, b) => (b === 0n ? new CelError("modulus by zero") : a % b) }),
  "-_": (value = null) => negate(value),
  "_<_": ordering("_<_", (order) => order < 0),
  "_<=_": ordering("_<=_", (order) => order <= 0),
  "_>_": ordering("_>_", (order) => order > 0),
  "_>=_": ordering("_>=_", (order) => order >= 0),
  "@in": (value = null, container = null) => {
    if (container instanceof CelList) return container.contains(value);
    if (!(container instanceof CelMap)) return noSuchOverload();
    const found = container.find(value);
    return found instanceof CelError ? found : found !== undefined;
  },
};

/** Adds two values as `+` does. */
export function add(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "string") return typeof right === "string" ? left + right : noSuchOverload();
  if (left instanceof CelList) return concatValues(left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? joinBytes(left, right) : noSuchOverload();
  if (left instanceof CelDuration) return addToDuration(left, right);
  if (left instanceof CelTimestamp) return right instanceof CelDuration ? move(left, right.nanos) : noSuchOverload();
  return addNumbers(left, right);
}

const addNumbers: Invoke = arithmetic("_+_", { int: (a, b) => a + b, double: (a, b) => a + b });
const subtractNumbers: Invoke = arithmetic("_-_", { int: (a, b) => a - b, double: (a, b) => a - b });

function addToDuration(left: CelDuration, right: CelValue): CelValue {
  if (right instanceof CelDuration) return durationOf(left.nanos + right.nanos);
  return right instanceof CelTimestamp ? move(right, left.nanos) : noSuchOverload();
}

function subtract(left: CelValue, right: CelValue): CelValue {
  if (left instanceof CelDuration) {
    return right instanceof CelDuration ? durationOf(left.nanos - right.nanos) : noSuchOverload();
  }
  if (!(left instanceof CelTimestamp)) return subtractNumbers(left, right);
  if (right instanceof CelTimestamp) return durationOf(left.nanos - right.nanos);
  return right instanceof CelDuration ? move(left, -right.nanos) : noSuchOverload();
}

function move({ nanos, offsetMinutes }: CelTimestamp, by: bigint): CelValue {
  return timestampOf(nanos + by, offsetMinutes);
}

function joinBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

interface Arithmetic {
  readonly int: (left: bigint, right: bigint) => bigint | CelError;
  readonly double?: (left: number, right: number) => number;
}

function arithmetic(name: string, { int, double }: Arithmetic): Invoke {
  return (left = null, right = null) => {
    if (typeof left === "bigint")
      return typeof right === "bigint" ? checked(int(left, right), intOf) : noSuchOverload();
    if (left instanceof CelUint) {
      return right instanceof CelUint ? checked(int(left.value, right.value), uintOf) : noSuchOverload();
    }
    if (typeof left === "number" && double !== undefined) {
      return typeof right === "number" ? double(left, right) : noSuchOverload();
    }
    return lacking(name, left);
  };
}

// Texts and times take any method, and say only then that they have none of the name.
function lacking(name: string, value: CelValue): CelError {
  const isReceiver = typeof value === "string" || value instanceof CelDuration || value instanceof CelTimestamp;
  return isReceiver ? noSuchOverload() : new CelError(`no such overload: ${name}`);
}

function checked(result: bigint | CelError, check: (value: bigint) => CelValue): CelValue {
  return result instanceof CelError ? result : check(result);
}

function divide(left: bigint, right: bigint): bigint | CelError {
  return right === 0n ? new CelError("division by zero") : left / right;
}

function negate(value: CelValue): CelValue {
  if (typeof value === "bigint") return intOf(-value);
  if (typeof value === "number") return -value;
  if (value instanceof CelDuration) return durationOf(-value.nanos);
  return typeof value === "boolean" ? noSuchOverload() : lacking("-_", value);
}

function ordering(name: string, holds: (order: number) => boolean): Invoke {
  return (left = null, right = null) => {
    const order = compareValues(left, right);
    if (order instanceof CelError) return order;
    return order === undefined ? new CelError(`no such overload: ${name}`) : holds(order);
  };
}

/** Orders two values; an error where they have no order, undefined where nothing of the kind of the first has one. */
export function compareValues(left: CelValue, right: CelValue): -1 | 0 | 1 | CelError | undefined {
  if (typeof left === "string") return typeof right === "string" ? compareTexts(left, right) : noSuchOverload();
  if (isNumber(left)) {
    if (!isNumber(right)) return Number.isNaN(left) ? notANumber() : noSuchOverload();
    return Number.isNaN(left) || Number.isNaN(right) ? notANumber() : compareNumbers(left, right);
  }
  if (typeof left === "boolean") {
    return typeof right === "boolean" ? compareNumbers(left ? 1n : 0n, right ? 1n : 0n) : noSuchOverload();
  }
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? compareBytes(left, right) : noSuchOverload();
  if (left instanceof CelDuration)
    return right instanceof CelDuration ? compareNumbers(left.nanos, right.nanos) : noSuchOverload();
  if (!(left instanceof CelTimestamp)) return undefined;
  return right instanceof CelTimestamp ? compareNumbers(left.nanos, right.nanos) : noSuchOverload();
}

function notANumber(): CelError {
  return new CelError("NaN values cannot be ordered");
}

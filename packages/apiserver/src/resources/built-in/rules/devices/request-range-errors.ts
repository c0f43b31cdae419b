import {
  addQuantities,
  compareQuantities,
  type FieldError,
  invalidField,
  parseQuantity,
  quantityToBigInt,
  requiredField,
  signOfAmount,
} from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";

interface Bounds {
  /** The capacity that there is. */
  readonly most: string;
  /** What is requested where a request names no amount. */
  readonly standard: string;
}

/** Returns what is wrong with a range of amounts that may be requested. */
export function requestRangeErrors(range: MutableJsonObject, at: string, bounds: Bounds): readonly FieldError[] {
  const { min, max, step } = range;
  if (typeof min !== "string") return [requiredField(`${at}.min`, "required when validRange is defined")];
  const limits = [
    ...lowerErrors(min, at, bounds),
    ...(typeof max === "string" ? upperErrors(min, max, at, bounds) : []),
  ];
  const amounts = namedAmounts(range, bounds);
  const isFractional = isEnabled("DRAFractionalCapacityRange") && amounts.some(([, amount]) => hasFraction(amount));
  const inexact = isFractional ? amounts.filter(([, amount]) => !isWholeAt(amount, -3)) : [];
  if (inexact.length > 0) {
    const detail = "value cannot be represented as a milli value";
    return [...limits, ...inexact.map(([name, amount]) => invalidField(`${at}.${name}`, amount, detail))];
  }
  return typeof step === "string"
    ? [...limits, ...stepErrors({ min, max, step }, at, { ...bounds, amounts, isFractional })]
    : limits;
}

type NamedAmount = readonly [name: string, amount: string];

function namedAmounts(range: MutableJsonObject, { standard }: Bounds): readonly NamedAmount[] {
  return [
    ["default", standard],
    ...["min", "max", "step"].flatMap((name): readonly NamedAmount[] => {
      const amount = range[name];
      return typeof amount === "string" ? [[name, amount]] : [];
    }),
  ];
}

function lowerErrors(min: string, at: string, { most, standard }: Bounds): readonly FieldError[] {
  return [
    ...(compareQuantities(min, most) > 0
      ? [invalidField(`${at}.min`, min, `min is larger than capacity value: ${most}`)]
      : []),
    ...(compareQuantities(standard, min) < 0
      ? [invalidField(`${at}.${defaultPlace("min")}`, standard, `default is less than min: ${min}`)]
      : []),
  ];
}

function upperErrors(min: string, max: string, at: string, { most, standard }: Bounds): readonly FieldError[] {
  return [
    ...(compareQuantities(min, max) > 0 ? [invalidField(`${at}.max`, min, `min is larger than max: ${max}`)] : []),
    ...(compareQuantities(max, most) > 0
      ? [invalidField(`${at}.max`, max, `max is larger than capacity value: ${most}`)]
      : []),
    ...(compareQuantities(standard, max) > 0
      ? [invalidField(`${at}.${defaultPlace("max")}`, standard, `default is more than max: ${max}`)]
      : []),
  ];
}

function defaultPlace(former: string): string {
  return since("1.37") ? "default" : former;
}

const MOST_INT64 = 2n ** 63n - 1n;

function stepErrors(
  { min, max, step }: { readonly min: string; readonly max: unknown; readonly step: string },
  at: string,
  bounds: Bounds & { readonly amounts: readonly NamedAmount[]; readonly isFractional: boolean },
): readonly FieldError[] {
  const { most, standard, amounts, isFractional } = bounds;
  const field = `${at}.step`;
  if (signOfAmount(parseQuantity(step)) <= 0) return [invalidField(field, step, "must be greater than zero")];
  const sum = addQuantities(min, step);
  const tooLarge =
    compareQuantities(sum, most) > 0
      ? [invalidField(field, step, `one step ${sum} is larger than capacity value: ${most}`)]
      : [];
  const unsafe = isFractional || !since("1.37") ? [] : amounts.flatMap((amount) => unsafeErrors(amount, at));
  if (unsafe.length > 0) return [...tooLarge, ...unsafe];
  const scale = isFractional ? -3 : 0;
  const [size, start] = [quantityToBigInt(step, scale), quantityToBigInt(min, scale)];
  return [
    ...tooLarge,
    ...[standard, ...(typeof max === "string" ? [max] : [])].flatMap((value) =>
      (quantityToBigInt(value, scale) - start) % size === 0n
        ? []
        : [invalidField(field, value, `value is not a multiple of a given step (${step}) from (${min})`)],
    ),
  ];
}

function unsafeErrors([name, amount]: NamedAmount, at: string): readonly FieldError[] {
  const field = `${at}.${name}`;
  if (signOfAmount(parseQuantity(amount)) < 0)
    return [invalidField(field, amount, "must be greater than or equal to 0")];
  return quantityToBigInt(amount) > MOST_INT64
    ? [invalidField(field, amount, `must not be larger than ${MOST_INT64}`)]
    : [];
}

function hasFraction(amount: string): boolean {
  return !isWholeAt(amount, 0);
}

function isWholeAt(amount: string, scale: number): boolean {
  return compareQuantities(amount, `${quantityToBigInt(amount, scale)}e${scale}`) === 0;
}

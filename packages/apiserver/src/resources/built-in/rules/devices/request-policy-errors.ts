import {
  compareQuantities,
  type FieldError,
  forbiddenField,
  invalidField,
  parseQuantity,
  quantityToBigInt,
  requiredField,
} from "@kubescaffold/k8s";

import { isEnabled } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import { distinctItems } from "./device-names.ts";
import { requestRangeErrors } from "./request-range-errors.ts";

const MOST_VALUES = 10;

/** Returns what is wrong with how much of a capacity of a device may be requested. */
export function requestPolicyErrors(
  capacity: MutableJsonObject,
  at: string,
  allowsMultiple: boolean,
): readonly FieldError[] {
  const policy = objectIn(capacity, "requestPolicy");
  const field = `${at}.requestPolicy`;
  if (policy === undefined) return [];
  if (!allowsMultiple) return [forbiddenField(field, "allowMultipleAllocations must be true")];
  const values = textsIn(policy, "validValues");
  const range = objectIn(policy, "validRange");
  if (values.length > 0 && range !== undefined) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenField(field, detail)];
  }
  const most = textIn(capacity, "value");
  const standard = policy["default"];
  const name = values.length > 0 ? "validValues" : "validRange";
  if (values.length === 0 && range === undefined) return [];
  if (typeof standard !== "string") return [requiredField(`${field}.default`, `required when ${name} is defined`)];
  return range === undefined
    ? validValueErrors(values, `${field}.validValues`, { most, standard })
    : requestRangeErrors(range, `${field}.validRange`, { most, standard });
}

function validValueErrors(
  values: readonly string[],
  at: string,
  { most, standard }: { readonly most: string; readonly standard: string },
): readonly FieldError[] {
  const unsorted = values.flatMap((value, index) => {
    const former = values[index - 1];
    return former !== undefined && compareQuantities(former, value) > 0
      ? [invalidField(`${at}[${index}]`, value, "values must be sorted in ascending order")]
      : [];
  });
  const isTooLong = values.length > MOST_VALUES;
  const hasStandard = !isTooLong && values.some((value) => compareQuantities(value, standard) === 0);
  return [
    ...unsorted,
    ...distinctItems({
      items: values,
      at,
      most: MOST_VALUES,
      keyOf: valueKey,
      errorsOf: (value, place) =>
        compareQuantities(value, most) > 0
          ? [invalidField(place, value, `option is larger than capacity value: ${most}`)]
          : [],
    }),
    ...(hasStandard ? [] : [invalidField(at, standard, "default value is not valid according to the requestPolicy")]),
  ];
}

// Equal amounts have equal keys; without fractions, those that are rounded up to the same number have, too.
function valueKey(value: string): string {
  if (!isEnabled("DRAFractionalCapacityRange")) return String(quantityToBigInt(value));
  const { unscaled, scale } = parseQuantity(value);
  const digits = String(unscaled);
  if (scale >= 0) return digits + "0".repeat(unscaled === 0n ? 0 : scale);
  const padded = digits.padStart(1 - scale, "0");
  return `${padded.slice(0, scale)}.${padded.slice(scale)}`;
}

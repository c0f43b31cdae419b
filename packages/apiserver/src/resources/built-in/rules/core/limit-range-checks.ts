import {
  compareQuantities,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  qualifiedNameErrors,
  type Quantity,
  quantityToNumber,
  requiredField,
} from "@kubescaffold/k8s";
import type { LimitRange, LimitRangeItem } from "@kubescaffold/k8s/core/v1";

import { repeatedIndexes } from "../../../repeated-indexes.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { isHugePages, isNativeResource, resourceNameErrors } from "../checks/resource-names.ts";
import { containerResourceNameErrors } from "../pod/resource-errors.ts";

/** Checks of LimitRanges. */
export const limitRangeChecks: BuiltInChecks = {
  validate: (range) => {
    const items = itemsOf(range);
    const repeated = repeatedIndexes(items.map(({ type }) => type));
    return items.flatMap((item, index) => {
      const path = `spec.limits[${String(index)}]`;
      return [
        ...nameErrors(item, path),
        ...(repeated.has(index) ? [duplicateField(`${path}.type`, item.type)] : []),
        ...itemErrors(item, path),
      ];
    });
  },
};

const TYPES: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);
const PARTS = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

function nameErrors(item: LimitRangeItem, path: string): readonly FieldError[] {
  const field = `${path}.type`;
  const problems = qualifiedNameErrors(item.type);
  const isContainer = item.type === "Pod" || item.type === "Container";
  const check = isContainer ? containerResourceNameErrors : resourceNameErrors;
  return [
    ...problems.map((problem) => invalidField(field, item.type, problem)),
    ...(problems.length > 0 || item.type.includes("/") || TYPES.has(item.type)
      ? []
      : [invalidField(field, item.type, "must be a standard limit type or fully qualified")]),
    ...PARTS.filter((part) => item.type !== "Pod" || !part.startsWith("default")).flatMap((part) =>
      Object.keys(item[part] ?? {}).flatMap((name) => check(name, `${path}.${part}[${name}]`)),
    ),
  ];
}

type Amounts = Readonly<Record<string, Quantity>>;

function itemErrors(item: LimitRangeItem, path: string): readonly FieldError[] {
  const { type, min = {}, max = {}, maxLimitRequestRatio = {} } = item;
  // Pods have no defaults, so that those of an item are only refused.
  const checked = type === "Pod" ? { ...item, default: {}, defaultRequest: {} } : item;
  const names = [min, max, checked.default ?? {}, checked.defaultRequest ?? {}, maxLimitRequestRatio].flatMap((each) =>
    Object.keys(each),
  );
  const unusual = type === "Pod" ? [...podErrors(item, path)] : [];
  const isClaimWithout =
    type === "PersistentVolumeClaim" && min["storage"] === undefined && max["storage"] === undefined;
  return [
    ...unusual,
    ...(isClaimWithout
      ? [
          requiredField(
            `${path}.limits`,
            "either minimum or maximum storage value is required, but neither was provided",
          ),
        ]
      : []),
    ...[...new Set(names)].flatMap((name) => amountErrors(checked, name, path)),
  ];
}

function podErrors(item: LimitRangeItem, path: string): readonly FieldError[] {
  return (["default", "defaultRequest"] as const)
    .filter((field) => Object.keys(item[field] ?? {}).length > 0)
    .map((field) => forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
}

function amountErrors(item: LimitRangeItem, name: string, path: string): readonly FieldError[] {
  const amount = (amounts: Amounts | undefined): Quantity | undefined => amounts?.[name];
  const [min, max, request] = [amount(item.min), amount(item.max), amount(item.defaultRequest)];
  const [limit, ratio] = [amount(item.default), amount(item.maxLimitRequestRatio)];
  const errors: FieldError[] = [];
  const compare = (
    [less, lessName]: readonly [Quantity | undefined, string],
    [more, moreName]: readonly [Quantity | undefined, string],
    [field, bad]: readonly [string, Quantity | undefined],
  ): void => {
    if (less === undefined || more === undefined || compareQuantities(less, more) <= 0) return;
    const detail = `${lessName} value ${less} is greater than ${moreName} value ${more}`;
    errors.push(invalidField(`${path}.${field}[${name}]`, bad, detail));
  };
  compare([min, "min"], [max, "max"], ["min", min]);
  compare([min, "min"], [request, "default request"], ["defaultRequest", request]);
  compare([request, "default request"], [max, "max"], ["defaultRequest", request]);
  compare([request, "default request"], [limit, "default limit"], ["defaultRequest", request]);
  compare([min, "min"], [limit, "default"], ["default", min]);
  compare([limit, "default"], [max, "max"], ["default", max]);
  return [
    ...errors,
    ...ratioErrors({ min, max, ratio }, `${path}.maxLimitRequestRatio[${name}]`),
    ...equalityErrors({ name, request, limit }, `${path}.defaultRequest[${name}]`),
  ];
}

interface Defaults {
  readonly name: string;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

// The limits of huge pages and of resources of other domains are their requests.
function equalityErrors({ name, request, limit }: Defaults, field: string): readonly FieldError[] {
  const mayDiffer = isNativeResource(name) && !isHugePages(name);
  if (mayDiffer || request === undefined || limit === undefined) return [];
  return compareQuantities(limit, request) === 0
    ? []
    : [invalidField(field, request, `default value ${limit} must equal to defaultRequest value ${request} in ${name}`)];
}

interface Ratio {
  readonly min: Quantity | undefined;
  readonly max: Quantity | undefined;
  readonly ratio: Quantity | undefined;
}

function ratioErrors({ min, max, ratio }: Ratio, field: string): readonly FieldError[] {
  if (ratio === undefined) return [];
  if (compareQuantities(ratio, "1") < 0) return [invalidField(field, ratio, `ratio ${ratio} is less than 1`)];
  if (min === undefined || max === undefined) return [];
  const largest = quantityToNumber(max) / quantityToNumber(min);
  return quantityToNumber(ratio) > largest
    ? [invalidField(field, ratio, `ratio ${ratio} is greater than max/min = ${largest.toFixed(6)}`)]
    : [];
}

function itemsOf({ spec }: LimitRange): readonly LimitRangeItem[] {
  return spec?.limits ?? [];
}

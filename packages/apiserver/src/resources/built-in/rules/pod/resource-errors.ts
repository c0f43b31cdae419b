import {
  compareQuantities,
  dns1123LabelErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  isQuantity,
  notFoundField,
  quantityToBigInt,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textOf } from "../../../fields.ts";
import { checkedText, eachItem, nonNegativeQuantity } from "../checks/field-checks.ts";
import {
  isExtendedResource,
  isHugePages,
  isIntegerResource,
  isNativeResource,
  resourceNameErrors,
} from "../checks/resource-names.ts";

const CONTAINER_RESOURCES: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Returns what is wrong with the requests, limits, and claims of a container. */
export function containerResourceErrors(
  resources: MutableJsonObject | undefined,
  claims: readonly string[],
  at: string,
): readonly FieldError[] {
  return requirementErrors(resources, { claims, at, nameErrors: containerResourceNameErrors });
}

/** Returns what is wrong with the requests and limits of a Pod as a whole. */
export function podResourceErrors(
  resources: MutableJsonObject | undefined,
  claims: readonly string[],
  at: string,
): readonly FieldError[] {
  return requirementErrors(resources, { claims, at, nameErrors: podResourceNameErrors });
}

interface Requirements {
  readonly claims: readonly string[];
  readonly at: string;
  readonly nameErrors: (name: string, field: string) => readonly FieldError[];
}

function requirementErrors(
  resources: MutableJsonObject | undefined,
  { claims, at, nameErrors }: Requirements,
): readonly FieldError[] {
  const [limits, requests] = ["limits", "requests"].map((part) => Object.entries(objectIn(resources, part) ?? {}));
  const amountErrors = (part: string, name: string, amount: string): readonly FieldError[] => {
    const field = `${at}.${part}[${name}]`;
    return [...nameErrors(name, field), ...quantityErrors(name, amount, field)];
  };
  const names = [...(limits ?? []), ...(requests ?? [])].map(([name]) => name);
  const isBare = names.some(isHugePages) && !names.some((name) => name === "cpu" || name === "memory");
  return [
    ...(limits ?? []).flatMap(([name, amount]) => [
      ...amountErrors("limits", name, textOf(amount)),
      ...pageErrors(name, textOf(amount), `${at}.limits[${name}]`),
    ]),
    ...(requests ?? []).flatMap(([name, amount]) => [
      ...amountErrors("requests", name, textOf(amount)),
      ...limitErrors(name, textOf(amount), textIn(objectIn(resources, "limits"), name), at),
      ...pageErrors(name, textOf(amount), `${at}.requests[${name}]`),
    ]),
    ...(isBare ? [forbiddenField(at, "HugePages require cpu or memory")] : []),
    ...claimErrors(objectsIn(resources, "claims"), claims, `${at}.claims`),
  ];
}

function limitErrors(name: string, request: string, limit: string, at: string): readonly FieldError[] {
  const isShared = isNativeResource(name) && !isHugePages(name);
  if (limit === "") {
    return isShared ? [] : [requiredField(`${at}.limits`, "Limit must be set for non overcommitable resources")];
  }
  const order = compareQuantities(request, limit);
  if (order !== 0 && !isShared) {
    return [invalidField(`${at}.requests`, request, `must be equal to ${name} limit of ${limit}`)];
  }
  return order > 0
    ? [invalidField(`${at}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)]
    : [];
}

/** Returns what is wrong with an amount of a resource: it is negative, or a fraction where only whole numbers are counted. */
export function quantityErrors(name: string, amount: string, field: string): readonly FieldError[] {
  const isFraction = isIntegerResource(name) && quantityToBigInt(amount, -3) % 1000n !== 0n;
  return [
    ...nonNegativeQuantity(field, amount),
    ...(isFraction ? [invalidField(field, amount, "must be an integer")] : []),
  ];
}

function pageErrors(name: string, amount: string, field: string): readonly FieldError[] {
  if (!isHugePages(name)) return [];
  const size = name.slice("hugepages-".length);
  const isWhole = isQuantity(size) && compareQuantities(size, "0") > 0 && quantityToBigInt(size, -3) % 1000n === 0n;
  const isDivisible = isWhole && quantityToBigInt(amount) % quantityToBigInt(size) === 0n;
  return isDivisible ? [] : [invalidField(field, amount, `${amount} is not positive integer multiple of ${name}`)];
}

/** Returns what is wrong with the name of a resource of a container. */
export function containerResourceNameErrors(name: string, field: string): readonly FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (!name.includes("/")) {
    return CONTAINER_RESOURCES.has(name) || isHugePages(name)
      ? errors
      : [...errors, invalidField(field, name, "must be a standard resource for containers")];
  }
  return isNativeResource(name) || name.split("/").length === 1 || isExtendedResource(name)
    ? errors
    : [...errors, invalidField(field, name, "doesn't follow extended resource name standard")];
}

const POD_RESOURCES = ["cpu", "hugepages-", "memory"] as const;

function podResourceNameErrors(name: string, field: string): readonly FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (errors.length > 0) return errors;
  const isSupported = (POD_RESOURCES as readonly string[]).includes(name) || isHugePages(name);
  return isSupported ? [] : [unsupportedField(field, name, POD_RESOURCES)];
}

function claimErrors(
  claims: readonly MutableJsonObject[],
  known: readonly string[],
  at: string,
): readonly FieldError[] {
  const keys = new Set<string>();
  return eachItem(claims, at, (claim, place) => {
    const name = textIn(claim, "name");
    if (name === "") return [requiredField(place)];
    return [
      ...duplicateErrors(claim, keys, place),
      ...(known.includes(name) ? [] : [unknownClaim(name, known, place)]),
    ];
  });
}

function duplicateErrors(claim: MutableJsonObject, keys: Set<string>, place: string): readonly FieldError[] {
  const [name, request] = [textIn(claim, "name"), textIn(claim, "request")];
  if (keys.has(name)) return [duplicateField(place, name)];
  const key = request === "" ? name : `${name}/${request}`;
  const requests = [...keys].filter((each) => each.startsWith(`${name}/`));
  const errors = [
    ...(request === "" ? [] : checkedText(`${place}.request`, request, dns1123LabelErrors)),
    ...(keys.has(key)
      ? [duplicateField(place, key)]
      : request === ""
        ? requests.map(() => duplicateField(place, name))
        : []),
  ];
  keys.add(key);
  return errors;
}

function unknownClaim(name: string, known: readonly string[], place: string): FieldError {
  const names = known.length === 0 ? " which is empty" : `: ${known.toSorted().join(", ")}`;
  return { ...notFoundField(place, name), detail: `must be one of the names in pod.spec.resourceClaims${names}` };
}

import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  goJson,
  internalFieldError,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { ruleEngine } from "../../../rule-engine.ts";
import { areDeclared, declaredDriverErrors, declaredNameErrors } from "../checks/declared-rules.ts";
import { checkedText, requiredText, supportedText } from "../checks/field-checks.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";
import { distinctItems, limitedItems, qualifiedAttributeErrors, shownItem } from "./device-names.ts";
import { declaredTolerationErrors, deviceTolerationErrors } from "./device-taints.ts";

const MOST_REQUESTS = 32;
const MOST_CONSTRAINTS = 32;
const MOST_CONFIGS = 32;
const MOST_SELECTORS = 32;
const MOST_ALTERNATIVES = 8;

/** Returns what is wrong with the devices that a claim asks for. */
export function deviceClaimErrors(devices: MutableJsonObject, at: string): readonly FieldError[] {
  const requests = objectsIn(devices, "requests");
  const names = requestNamesOf(devices);
  return [
    ...distinctItems({
      items: requests,
      at: `${at}.requests`,
      most: MOST_REQUESTS,
      keyOf: (request) => textIn(request, "name"),
      keyField: "name",
      shownKey: shownItem((request) => textIn(request, "name")),
      errorsOf: requestErrors,
    }),
    ...limitedItems({
      items: objectsIn(devices, "constraints"),
      at: `${at}.constraints`,
      most: MOST_CONSTRAINTS,
      errorsOf: (constraint, place) => constraintErrors(constraint, place, names),
    }),
    ...limitedItems({
      items: objectsIn(devices, "config"),
      at: `${at}.config`,
      most: MOST_CONFIGS,
      errorsOf: (config, place) => [
        ...requestReferenceErrors(textsIn(config, "requests"), `${place}.requests`, names),
        ...configurationErrors(config, place),
      ],
    }),
  ];
}

/** Returns the names of the requests of a claim, and `request/subrequest` of each of their alternatives. */
export function requestNamesOf(devices: MutableJsonObject | undefined): ReadonlySet<string> {
  return new Set(
    objectsIn(devices, "requests").flatMap((request) => {
      const name = textIn(request, "name");
      const alternatives = objectsIn(request, "firstAvailable");
      return [name, ...alternatives.map((alternative) => `${name}/${textIn(alternative, "name")}`)];
    }),
  );
}

const ONE_KIND = "exactly one of `exactly` or `firstAvailable` is required";

function requestErrors(request: MutableJsonObject, at: string): readonly FieldError[] {
  const alternatives = objectsIn(request, "firstAvailable");
  const exactly = objectIn(request, "exactly");
  const errors = checkedText(`${at}.name`, textIn(request, "name"), dns1123LabelErrors);
  if (exactly !== undefined && alternatives.length > 0) {
    const conflict = invalidField(at, null, `${ONE_KIND}, but multiple fields are set`);
    return [...errors, conflict, ...errorsBesideConflict(exactly, alternatives, at)];
  }
  if (exactly !== undefined) return [...errors, ...exactRequestErrors(exactly, `${at}.exactly`)];
  if (alternatives.length === 0) return [...errors, requiredField(at, ONE_KIND)];
  return [...errors, ...alternativeErrors(alternatives, at)];
}

// 1.34 looks at both kinds nevertheless, and the declared rules hold for both.
function errorsBesideConflict(
  exactly: MutableJsonObject,
  alternatives: readonly MutableJsonObject[],
  at: string,
): readonly FieldError[] {
  if (!since("1.35")) return [...alternativeErrors(alternatives, at), ...exactRequestErrors(exactly, `${at}.exactly`)];
  return areDeclared()
    ? [
        ...declaredRequestErrors(exactly, `${at}.exactly`),
        ...declaredAlternativeErrors(alternatives, `${at}.firstAvailable`),
      ]
    : [];
}

function alternativeErrors(alternatives: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  return distinctItems({
    items: alternatives,
    at: `${at}.firstAvailable`,
    most: MOST_ALTERNATIVES,
    keyOf: (alternative) => textIn(alternative, "name"),
    keyField: "name",
    shownKey: shownItem((alternative) => textIn(alternative, "name")),
    errorsOf: (alternative, place) => [
      ...checkedText(`${place}.name`, textIn(alternative, "name"), dns1123LabelErrors),
      ...exactRequestErrors(alternative, place),
    ],
  });
}

function declaredAlternativeErrors(alternatives: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  return distinctItems({
    items: alternatives,
    at,
    most: MOST_ALTERNATIVES,
    keyOf: (alternative) => textIn(alternative, "name"),
    keyField: "name",
    shownKey: shownItem((alternative) => textIn(alternative, "name")),
    errorsOf: (alternative, place) => [
      ...classNameErrors(textIn(alternative, "deviceClassName"), place, true),
      ...declaredRequestErrors(alternative, place),
    ],
  });
}

function classNameErrors(name: string, at: string, isDeclared: boolean): readonly FieldError[] {
  const field = `${at}.deviceClassName`;
  if (!isDeclared) return requiredText(field, name, dns1123SubdomainErrors);
  return name === "" ? [requiredField(field)] : declaredNameErrors(field, name, dns1123SubdomainErrors);
}

function declaredRequestErrors(request: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...limitedItems({
      items: objectsIn(request, "selectors"),
      at: `${at}.selectors`,
      most: MOST_SELECTORS,
      errorsOf: () => [],
    }),
    ...supportedText(`${at}.allocationMode`, textIn(request, "allocationMode"), ALLOCATION_MODES),
    ...declaredTolerationErrors(request, at),
  ];
}

function exactRequestErrors(request: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...classNameErrors(textIn(request, "deviceClassName"), at, !at.endsWith(".exactly")),
    ...selectorErrors(objectsIn(request, "selectors"), `${at}.selectors`),
    ...allocationModeErrors(request, at),
    ...deviceTolerationErrors(request, at),
  ];
}

const ALLOCATION_MODES = ["All", "ExactCount"] as const;

function allocationModeErrors(request: MutableJsonObject, at: string): readonly FieldError[] {
  const mode = textIn(request, "allocationMode");
  const count = integerIn(request, "count") ?? 0;
  const field = `${at}.count`;
  switch (mode) {
    case "All":
      return count === 0 ? [] : [invalidField(field, count, `must not be specified when allocationMode is '${mode}'`)];
    case "ExactCount":
      return count > 0 ? [] : [invalidField(field, count, "must be greater than zero")];
    default:
      return [unsupportedField(`${at}.allocationMode`, mode, ALLOCATION_MODES)];
  }
}

/** Returns what is wrong with selectors of devices. */
export function selectorErrors(selectors: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  return limitedItems({
    items: selectors,
    at,
    most: MOST_SELECTORS,
    errorsOf: (selector, place) => {
      const cel = objectIn(selector, "cel");
      return cel === undefined
        ? [requiredField(`${place}.cel`)]
        : expressionErrors(textIn(cel, "expression"), `${place}.cel.expression`);
    },
  });
}

const LONGEST_EXPRESSION = 10 * 1024;

function expressionErrors(expression: string, field: string): readonly FieldError[] {
  if (Buffer.byteLength(expression) > LONGEST_EXPRESSION) return [tooLongField(field, LONGEST_EXPRESSION)];
  const problem = ruleEngine().deviceSelectorProblem(expression);
  switch (problem?.kind) {
    case undefined:
      return [];
    case "invalid":
      return [invalidField(field, expression, problem.detail)];
    case "internal":
      return [internalFieldError(field, problem.detail)];
    case "too-complex":
      return [forbiddenField(field, "too complex, exceeds cost limit")];
  }
}

function constraintErrors(
  constraint: MutableJsonObject,
  at: string,
  names: ReadonlySet<string>,
): readonly FieldError[] {
  const attribute = constraint["matchAttribute"];
  return [
    ...requestReferenceErrors(textsIn(constraint, "requests"), `${at}.requests`, names),
    ...(typeof attribute === "string"
      ? qualifiedAttributeErrors(`${at}.matchAttribute`, attribute)
      : distinctAttributeErrors(constraint["distinctAttribute"], at)),
    // The declared rule holds for the other attribute also where there must be one of them.
    ...(typeof attribute === "string" && constraint["distinctAttribute"] !== undefined && areDeclared()
      ? distinctAttributeErrors(constraint["distinctAttribute"], at)
      : []),
  ];
}

const ONE_ATTRIBUTE = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

function distinctAttributeErrors(attribute: unknown, at: string): readonly FieldError[] {
  if (typeof attribute === "string") return qualifiedAttributeErrors(`${at}.distinctAttribute`, attribute);
  return isEnabled("DRAConsumableCapacity")
    ? [requiredField(at, ONE_ATTRIBUTE)]
    : [requiredField(`${at}.matchAttribute`)];
}

const REFERENCE =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Returns what is wrong with a list of names of requests. */
export function requestReferenceErrors(
  references: readonly string[],
  at: string,
  names: ReadonlySet<string>,
): readonly FieldError[] {
  return distinctItems({
    items: references,
    at,
    most: MOST_REQUESTS,
    keyOf: (reference) => reference,
    errorsOf: (reference, place) => requestReferenceError(reference, place, names),
  });
}

/** Returns what is wrong with the name of a request. */
export function requestReferenceError(
  reference: string,
  at: string,
  names: ReadonlySet<string>,
): readonly FieldError[] {
  const segments = reference.split("/");
  if (segments.length > 2) return [invalidField(at, reference, REFERENCE)];
  return [
    ...segments.flatMap((segment) => checkedText(at, segment, dns1123LabelErrors)),
    ...(names.has(reference) ? [] : [invalidField(at, reference, REFERENCE)]),
  ];
}

const LONGEST_PARAMETERS = 10 * 1024;

/** Returns what is wrong with the configuration of devices; stored ones may be of any length. */
export function configurationErrors(
  config: MutableJsonObject,
  at: string,
  { isStored = false }: { readonly isStored?: boolean } = {},
): readonly FieldError[] {
  const opaque = objectIn(config, "opaque");
  if (opaque === undefined) return [requiredField(`${at}.opaque`)];
  const most = isStored ? Number.POSITIVE_INFINITY : LONGEST_PARAMETERS;
  return [
    ...(areDeclared() ? declaredDriverErrors : driverNameErrors)(`${at}.opaque.driver`, textIn(opaque, "driver")),
    ...rawObjectErrors(`${at}.opaque.parameters`, opaque["parameters"], most),
  ];
}

/** Returns what is wrong with a value that must be an object of at most so many bytes. */
export function rawObjectErrors(field: string, value: unknown, mostBytes: number): readonly FieldError[] {
  if (value === undefined || value === null) return [requiredField(field)];
  return Buffer.byteLength(goJson(value)) > mostBytes ? [tooLongField(field, mostBytes)] : [];
}

/** Returns what is wrong with the selectors and the configuration of a class; those that are unchanged are stored already. */
export function classConfigErrors(
  configs: readonly MutableJsonObject[],
  at: string,
  isStored: boolean,
): readonly FieldError[] {
  return limitedItems({
    items: configs,
    at,
    most: MOST_CONFIGS,
    errorsOf: (config, place) => configurationErrors(config, place, { isStored }),
  });
}

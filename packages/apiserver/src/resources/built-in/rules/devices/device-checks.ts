import { type FieldError, invalidField, type JSONValue, qualifiedNameErrors } from "@kubescaffold/k8s";
import { deepEqual, isJsonList, isJsonObject, unfold } from "@kubescaffold/schema/values";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import type { StrategyContext } from "../../../strategy.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { areDeclared, declaredImmutable } from "../checks/declared-rules.ts";
import { isExtendedResource } from "../checks/resource-names.ts";
import { templateMetaErrors } from "../pod/claim-spec-errors.ts";
import { claimSpecOf, requestsOf } from "./claim-parts.ts";
import { adminAccessErrors, claimStatusErrors, grantsAdminAccess } from "./claim-status-errors.ts";
import { classConfigErrors, deviceClaimErrors, selectorErrors } from "./device-claim-errors.ts";
import { resourceSliceErrors } from "./resource-slice-errors.ts";

const NAMESPACES = { group: "", resource: "namespaces" } as const;

/** Checks of ResourceClaims. */
export const claimChecks: BuiltInChecks = {
  validate: (claim, context, old) => [
    ...(old === undefined ? requestedAccessErrors(objectIn(claim, "spec"), claim, context) : []),
    ...(old === undefined || !since("1.35")
      ? deviceClaimErrors(objectIn(objectIn(claim, "spec"), "devices") ?? {}, "spec.devices")
      : []),
  ],
  validateUpdate: (claim, old) => immutableSpecErrors(claim, old, true),
  validateStatus: (claim, old, context) => [
    ...allocatedAccessErrors(claim, old, context),
    ...claimStatusErrors(claim, old),
  ],
};

/** Checks of ResourceClaimTemplates. */
export const claimTemplateChecks: BuiltInChecks = {
  validate: (template, context, old) => [
    ...(old === undefined ? requestedAccessErrors(claimSpecOf(template), template, context) : []),
    ...templateMetaErrors(objectIn(objectIn(template, "spec"), "metadata"), "spec.metadata"),
    ...deviceClaimErrors(objectIn(claimSpecOf(template), "devices") ?? {}, "spec.spec.devices"),
  ],
  validateUpdate: (template, old) => immutableSpecErrors(template, old, false),
};

/** Checks of DeviceClasses. */
export const deviceClassChecks: BuiltInChecks = {
  validate: (deviceClass, _context, old) => {
    const [spec, before] = [objectIn(deviceClass, "spec"), objectIn(old, "spec")];
    const isStored = old !== undefined && deepEqual(objectsIn(spec, "config"), objectsIn(before, "config"));
    return [
      ...selectorErrors(objectsIn(spec, "selectors"), "spec.selectors"),
      ...classConfigErrors(objectsIn(spec, "config"), "spec.config", isStored),
      ...extendedNameErrors(spec?.["extendedResourceName"]),
    ];
  },
};

/** Checks of ResourceSlices. */
export const resourceSliceChecks: BuiltInChecks = {
  validate: (slice, _context, old) => resourceSliceErrors(slice, old),
  warnings: (slice) => {
    const driver = textIn(objectIn(slice, "spec"), "driver");
    return driver === driver.toLowerCase() || !since("1.35")
      ? []
      : [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
  },
};

function immutableSpecErrors(object: ApiObject, old: ApiObject, isDeclared: boolean): readonly FieldError[] {
  return deepEqual(withoutEmptyLists(object["spec"]), withoutEmptyLists(old["spec"]))
    ? []
    : [isDeclared ? declaredImmutable("spec", object["spec"]) : invalidField("spec", object["spec"], IMMUTABLE)];
}

const IMMUTABLE = "field is immutable";

function extendedNameErrors(name: unknown): readonly FieldError[] {
  if (typeof name !== "string") return [];
  const field = "spec.extendedResourceName";
  if (areDeclared()) return declaredExtendedNameErrors(field, name);
  return isExtendedResource(name) ? [] : [invalidField(field, name, "must be a valid extended resource name")];
}

function declaredExtendedNameErrors(field: string, name: string): readonly FieldError[] {
  const problems = [
    ...(name.includes("/") ? [] : ["a name must be a domain-prefixed path, such as 'example.com/my-prop'"]),
    ...(name.includes("/") && name.includes("kubernetes.io/") ? ['must not have "kubernetes.io/" domain'] : []),
    ...(name.startsWith("requests.") ? ['must not have "requests." prefix'] : []),
    ...qualifiedNameErrors(`requests.${name}`),
  ];
  return problems.map((problem) => invalidField(field, name, problem));
}

// Empty lists are equal to absent ones.
function withoutEmptyLists(spec: unknown): unknown {
  return unfold(spec as JSONValue | undefined, (value) => {
    if (isJsonObject(value)) return { kind: "object", members: Object.entries(value), isOptional: false };
    if (!isJsonList(value)) return { kind: "value", value: value ?? undefined };
    return value.length === 0 ? { kind: "value", value: undefined } : { kind: "list", items: value };
  });
}

function requestedAccessErrors(
  spec: MutableJsonObject | undefined,
  object: ApiObject,
  context: StrategyContext,
): readonly FieldError[] {
  const requests = requestsOf(spec).map((request) => objectIn(request, "exactly"));
  return adminAccessErrors(isGranted(object, context), requests, "spec.devices.requests");
}

function allocatedAccessErrors(claim: ApiObject, old: ApiObject, context: StrategyContext): readonly FieldError[] {
  const resultsOf = (object: ApiObject): readonly MutableJsonObject[] =>
    objectsIn(objectIn(objectIn(objectIn(object, "status"), "allocation"), "devices"), "results");
  const isAllowed = isGranted(claim, context) || resultsOf(old).some((result) => result["adminAccess"] === true);
  return adminAccessErrors(isAllowed, resultsOf(claim), "status.allocation.devices.results");
}

function isGranted({ metadata }: ApiObject, { objects }: StrategyContext): boolean {
  return grantsAdminAccess(objects.get(NAMESPACES, { namespace: "", name: metadata.namespace ?? "" }));
}

import {
  compareQuantities,
  type FieldError,
  invalidField,
  isZeroQuantity,
  qualifiedNameErrors,
  type Quantity,
  quantityToBigInt,
  requiredField,
} from "@kubescaffold/k8s";
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from "@kubescaffold/k8s/core/v1";

import { since } from "../../../release/rule-release.ts";
import type { ApiObject } from "../../../storage/api-object.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

/** Rules of ResourceQuotas beyond their schema. */
export const resourceQuotaRules: BuiltInRules = {
  returnsDeletedObject: true,
  checksEveryField: true,
  warnings: (quota, old) => (old === undefined && since("1.35") ? [...largerRequests(specOf(quota))] : []),
  validate: (quota) => specErrors(specOf(quota)),
  validateUpdate: (quota, old) => scopeChangeErrors(specOf(quota), specOf(old)),
  validateStatus: (quota) => statusErrors(quota),
};

type Amounts = Readonly<Record<string, Quantity>>;

function specOf(quota: ApiObject): ResourceQuotaSpec {
  return (quota as ResourceQuota).spec ?? {};
}

const COMPUTE = ["cpu", "memory", "ephemeral-storage"] as const;

function* largerRequests({ hard = {} }: ResourceQuotaSpec): Iterable<string> {
  for (const name of ["cpu", "memory", "storage", "ephemeral-storage"]) {
    const isShort = hard[`requests.${name}`] === undefined && (name === "cpu" || name === "memory");
    const [requests, limits] = [isShort ? name : `requests.${name}`, `limits.${name}`];
    const [request, limit] = [hard[requests], hard[limits]];
    if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) continue;
    yield `ResourceQuota ${requests} (${request}) should be less than ${limits} (${limit})`;
  }
}

function specErrors(spec: ResourceQuotaSpec): readonly FieldError[] {
  return [...amountErrors(spec.hard, "spec.hard"), ...scopeErrors(spec), ...selectorErrors(spec)];
}

function statusErrors(quota: ApiObject): readonly FieldError[] {
  const { hard, used } = (quota as ResourceQuota).status ?? {};
  return [...amountErrors(hard, "status.hard"), ...amountErrors(used, "status.used")];
}

const COUNTED = [
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
];
const STANDARD_NAMES: ReadonlySet<string> = new Set([
  ...COUNTED,
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  "requests.storage",
]);

function isStandard(name: string): boolean {
  return STANDARD_NAMES.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
}

function amountErrors(amounts: Amounts = {}, path: string): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const field = `${path}[${name}]`;
    return [...nameErrors(name, field), ...valueErrors(name, amount, field)];
  });
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  const problems = qualifiedNameErrors(name);
  const isShort = !name.includes("/");
  const errors = problems.map((problem) => invalidField(field, name, problem));
  if (problems.length === 0 && isShort && !isStandard(name) && name !== "storage") {
    errors.push(invalidField(field, name, "must be a standard resource type or fully qualified"));
  }
  if (isShort && !isStandard(name)) errors.push(invalidField(field, name, "must be a standard resource for quota"));
  return errors;
}

function valueErrors(name: string, amount: Quantity, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (compareQuantities(amount, "0") < 0) {
    errors.push(invalidField(field, amount, "must be greater than or equal to 0"));
  }
  const isWhole = isZeroQuantity(amount) || quantityToBigInt(amount, -3) % 1000n === 0n;
  if (isInteger(name) && !isWhole) errors.push(invalidField(field, amount, "must be an integer"));
  return errors;
}

// Those of other domains are extended resources.
function isInteger(name: string): boolean {
  if (COUNTED.includes(name)) return true;
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  return !isNative && !name.startsWith("requests.") && qualifiedNameErrors(`requests.${name}`).length === 0;
}

const POD_NAMES: ReadonlySet<string> = new Set([
  "pods",
  ...["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Terminating", POD_NAMES],
  ["NotTerminating", POD_NAMES],
  ["BestEffort", new Set(["pods"])],
  ["NotBestEffort", POD_NAMES],
  ["PriorityClass", POD_NAMES],
  ["CrossNamespacePodAffinity", POD_NAMES],
  ["VolumeAttributesClass", new Set(["persistentvolumeclaims", "requests.storage"])],
]);

function scopeErrors(spec: ResourceQuotaSpec): readonly FieldError[] {
  const scopes = spec.scopes ?? [];
  const invalid = (detail: string): FieldError => invalidField("spec.scopes", scopes, detail);
  const errors = scopes.flatMap((scope) => [
    ...(SCOPES.has(scope) ? [] : [invalid("unsupported scope")]),
    ...foreignNames(spec, scope).map(() => invalid("unsupported scope applied to resource")),
  ]);
  return [...errors, ...conflicts(scopes).map(() => invalid("conflicting scopes"))];
}

function foreignNames({ hard = {} }: ResourceQuotaSpec, scope: string): readonly string[] {
  const valid = SCOPES.get(scope);
  return Object.keys(hard).filter((name) => isStandard(name) && valid?.has(name) === false);
}

const CONFLICTS = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

function conflicts(scopes: readonly string[]): readonly unknown[] {
  return CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope)));
}

const EXISTING_ONLY: ReadonlySet<string> = new Set([...CONFLICTS.flat(), "CrossNamespacePodAffinity"]);
const EXISTING_ONLY_TEXT =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function selectorErrors(spec: ResourceQuotaSpec): readonly FieldError[] {
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  const path = "spec.scopeSelector.matchExpressions";
  const errors = requirements.flatMap((requirement) => {
    const { scopeName, operator } = requirement;
    return [
      ...(SCOPES.has(scopeName) ? [] : [invalidField(`${path}.scopeName`, scopeName, "unsupported scope")]),
      ...foreignNames(spec, scopeName).map(() =>
        invalidField(path, spec.scopeSelector, "unsupported scope applied to resource"),
      ),
      ...(EXISTING_ONLY.has(scopeName) && operator !== "Exists"
        ? [invalidField(`${path}.operator`, operator, EXISTING_ONLY_TEXT)]
        : []),
      ...operatorErrors(requirement, path),
    ];
  });
  const names = requirements.map(({ scopeName }) => scopeName);
  return [...errors, ...conflicts(names).map(() => invalidField(path, spec.scopes ?? null, "conflicting scopes"))];
}

function operatorErrors(
  { operator, values = [] }: ScopedResourceSelectorRequirement,
  path: string,
): readonly FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [
            requiredField(
              `${path}.values`,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            invalidField(
              `${path}.values`,
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [invalidField(`${path}.operator`, operator, "not a valid selector operator")];
  }
}

function scopeChangeErrors(spec: ResourceQuotaSpec, old: ResourceQuotaSpec): readonly FieldError[] {
  const [scopes, former] = [new Set(spec.scopes), new Set(old.scopes)];
  const isSame = scopes.size === former.size && [...scopes].every((scope) => former.has(scope));
  return isSame ? [] : [invalidField("spec.scopes", spec.scopes ?? null, "field is immutable")];
}

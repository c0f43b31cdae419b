import { deepEqual } from "@kubescaffold/schema/values";

import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  checkPermission,
  refusal,
} from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { notFound } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { type PolicyRule, joinErrors, MASTERS, RBAC_GROUP, roleOf, rulesOf } from "./rbac-authorizer.ts";

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/**
 * Lets users write only roles and bindings that grant nothing beyond what they may do themselves.
 *
 * The verbs `escalate` on roles and `bind` on roles that are bound lift this; so does membership of `system:masters`.
 */
export function escalationGuard(context: ServerContext): AdmissionPlugin {
  return {
    name: "EscalationGuard",
    // As upstream: after all other plugins have changed the object, and before it is validated.
    mutate: async (attributes) => {
      if (!isGuarded(attributes) || attributes.user.groups.includes(MASTERS)) return undefined;
      const { object, oldObject } = attributes;
      if (object === undefined || (oldObject !== undefined && changesOnlyCollection(object, oldObject)))
        return undefined;
      if (attributes.resource.resource.endsWith("bindings")) await guardBinding(context, attributes, object);
      else await guardRole(context, attributes, object);
      return undefined;
    },
  };
}

const GUARDED: ReadonlySet<string> = new Set(["roles", "clusterroles", "rolebindings", "clusterrolebindings"]);

function isGuarded({ resource, operation }: AdmissionAttributes): boolean {
  const isWrite = operation === "CREATE" || operation === "UPDATE";
  return isWrite && resource.group === RBAC_GROUP && GUARDED.has(resource.resource);
}

// Whoever may write may do what garbage collection needs.
function changesOnlyCollection(object: ApiObject, old: ApiObject): boolean {
  return deepEqual(withoutCollectionFields(object), withoutCollectionFields(old));
}

function withoutCollectionFields({ metadata, ...others }: ApiObject): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...kept } = metadata;
  return { ...others, metadata: kept };
}

async function guardRole(context: ServerContext, attributes: AdmissionAttributes, role: ApiObject): Promise<void> {
  const { resource, requestName, oldObject } = attributes;
  if (await mayDo(context, attributes, { verb: "escalate", resource: resource.resource, name: requestName })) return;
  confirmHeld(context, attributes, rulesIn(role));
  if (!isAggregated(role) && (oldObject === undefined || !isAggregated(oldObject))) return;
  const { granted } = rulesOf(context, attributes.user, "");
  const held = granted.map(({ rule }) => rule);
  if (uncoveredRules(held, EVERYTHING).length > 0) {
    throw refusal(attributes, "must have cluster-admin privileges to use the aggregationRule");
  }
}

// An aggregation gathers anything, and removing it keeps what it has gathered.
function isAggregated(role: ApiObject): boolean {
  const rule = role["aggregationRule"] as
    | { readonly clusterRoleSelectors?: readonly unknown[] | null }
    | null
    | undefined;
  return (rule?.clusterRoleSelectors ?? []).length > 0;
}

async function guardBinding(
  context: ServerContext,
  attributes: AdmissionAttributes,
  binding: ApiObject,
): Promise<void> {
  const role = roleOf(context, binding);
  const resource = role.kind === "ClusterRole" ? "clusterroles" : "roles";
  if (await mayDo(context, attributes, { verb: "bind", resource, name: role.name })) return;
  if (role.rules === undefined) throw notFound({ groupResource: attributes.resource, name: role.name });
  confirmHeld(context, attributes, role.rules);
}

async function mayDo(
  context: ServerContext,
  { user, namespace }: AdmissionAttributes,
  action: { readonly verb: string; readonly resource: string; readonly name: string },
): Promise<boolean> {
  const asked = {
    isResourceRequest: true,
    path: "",
    group: RBAC_GROUP,
    version: "*",
    subresource: "",
    namespace,
    ...action,
    user,
  };
  return (await checkPermission(context, asked, { isOptional: true })).allowed;
}

function rulesIn(role: ApiObject): readonly PolicyRule[] {
  return (role["rules"] ?? []) as readonly PolicyRule[];
}

function confirmHeld(context: ServerContext, attributes: AdmissionAttributes, wanted: readonly PolicyRule[]): void {
  const { user, namespace } = attributes;
  const { granted, missing } = rulesOf(context, user, namespace);
  const uncovered = uncoveredRules(
    granted.map(({ rule }) => rule),
    wanted,
  );
  if (uncovered.length === 0) return recordHeld(context, attributes, wanted);
  const groups = user.groups.map((group) => JSON.stringify(group)).join(" ");
  const errors = missing.length === 0 ? "" : `; resolution errors: [${joinErrors(missing)}]`;
  throw refusal(
    attributes,
    `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${describeRules(uncovered).join("\n")}${errors}`,
  );
}

// Whoever grants a permission needs it, although no request uses it.
function recordHeld(
  { permissions }: ServerContext,
  { user, namespace }: AdmissionAttributes,
  granted: readonly PolicyRule[],
): void {
  for (const part of granted.flatMap((rule) => breakDown(rule))) {
    const [verb = ""] = part.verbs;
    const [group = ""] = part.apiGroups ?? [];
    const [resource = "", ...subresource] = (part.resources?.[0] ?? "").split("/");
    const [path = ""] = part.nonResourceURLs ?? [];
    const isResourceRequest = path === "";
    const place = { group, version: "*", resource, subresource: subresource.join("/"), namespace, name: "", path };
    permissions.record({ ...place, isResourceRequest, verb, user }, true);
  }
}

/** Returns the parts of rules that no rule of their owner covers, each for one verb on one resource or path. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap((rule) => breakDown(rule)).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** Puts the verbs of parts on one resource together, and prints every rule in one line, in order. */
export function describeRules(rules: readonly PolicyRule[]): readonly string[] {
  return [...new Set(compact(rules).map((rule) => describe(rule)))].toSorted((left, right) => (left < right ? -1 : 1));
}

function breakDown(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames ?? [];
  const resources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).flatMap((resource) =>
      rule.verbs.flatMap((verb): readonly PolicyRule[] => {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] };
        return names.length === 0 ? [part] : names.map((name) => ({ ...part, resourceNames: [name] }));
      }),
    ),
  );
  const paths = (rule.nonResourceURLs ?? []).flatMap((path) =>
    rule.verbs.map((verb): PolicyRule => ({ verbs: [verb], nonResourceURLs: [path] })),
  );
  return [...resources, ...paths];
}

// The part has one verb, resource, path, and name at most. A star in names is a name, as in decisions.
function covers(held: PolicyRule, part: PolicyRule): boolean {
  const names = held.resourceNames ?? [];
  return (
    includesAllOrStar(held.verbs, part.verbs) &&
    includesAllOrStar(held.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(held.resources ?? [], resource)) &&
    (part.nonResourceURLs ?? []).every((path) => coversPath(held.nonResourceURLs ?? [], path)) &&
    (names.length === 0 || ((part.resourceNames ?? []).length > 0 && includesAll(names, part.resourceNames)))
  );
}

function includesAllOrStar(values: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return values.includes("*") || includesAll(values, wanted);
}

function includesAll(values: readonly string[], wanted: readonly string[] = []): boolean {
  return wanted.every((each) => values.includes(each));
}

// `*/scale` covers `pods/scale` and not `pods/scale/deeper`: all that follows the resource is the subresource.
function coversResource(held: readonly string[], resource: string): boolean {
  const slash = resource.indexOf("/");
  return held.includes("*") || held.includes(resource) || (slash >= 0 && held.includes(`*${resource.slice(slash)}`));
}

function coversPath(held: readonly string[], path: string): boolean {
  return held.some(
    (each) =>
      each === "*" || each === path || (each.endsWith("*") && path.startsWith(each.replace(/(?<!\*)\*+$/u, ""))),
  );
}

function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...about } = rule;
    // Paths are listed verb by verb.
    const key = JSON.stringify(rule.nonResourceURLs === undefined ? about : rule);
    const known = merged.get(key);
    merged.set(key, { ...rule, verbs: [...new Set([...(known?.verbs ?? []), ...verbs])] });
  }
  return [...merged.values()];
}

function describe(rule: PolicyRule): string {
  const parts = [
    quotedList("APIGroups", rule.apiGroups),
    quotedList("Resources", rule.resources),
    quotedList("NonResourceURLs", rule.nonResourceURLs),
    quotedList("ResourceNames", rule.resourceNames),
    quotedList("Verbs", rule.verbs),
  ];
  return `{${parts.filter((part) => part !== "").join(", ")}}`;
}

function quotedList(title: string, values: readonly string[] = []): string {
  return values.length === 0 ? "" : `${title}:[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

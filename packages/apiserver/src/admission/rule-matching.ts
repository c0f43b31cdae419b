import { type GroupVersionKind, type GroupVersionResource } from "@kubescaffold/k8s";
import type { NamedRuleWithOperations } from "@kubescaffold/k8s/admissionregistration/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import { type AdmissionAttributes, includesOrStar } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { storedSelectorMatcher } from "../storage/stored-selectors.ts";

const NAMESPACES = { group: "", resource: "namespaces" } as const;

/** The version in which a webhook or policy is to see a write. */
export interface RuleMatch {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The rules of a webhook or policy. */
export interface RuleSet {
  readonly rules?: readonly NamedRuleWithOperations[];
  readonly matchPolicy?: string;
}

/** Reports whether rules concern a write, and in which version its objects are to be seen; undefined when they do not. */
export function matchRules(
  context: ServerContext,
  { rules = [], matchPolicy }: RuleSet,
  attributes: AdmissionAttributes,
): RuleMatch | undefined {
  const asked = { resource: attributes.resource, kind: attributes.kind };
  if (rules.some((rule) => matchesRule(rule, attributes, asked.resource))) return asked;
  if (matchPolicy === "Exact") return undefined;
  return equivalents(context, attributes).find(({ resource }) =>
    rules.some((rule) => matchesRule(rule, attributes, resource)),
  );
}

// The same objects, or the same subresource of them, under other versions.
function equivalents(context: ServerContext, attributes: AdmissionAttributes): readonly RuleMatch[] {
  const served = context.resources.find(attributes.resource);
  if (served === undefined) return [];
  return context.resources
    .all()
    .filter(
      ({ storedAs }) => storedAs.group === served.storedAs.group && storedAs.resource === served.storedAs.resource,
    )
    .filter((other) => other.version !== served.version || other.group !== served.group)
    .filter(({ subresources }) => attributes.subresource === "" || subresources.includes(attributes.subresource))
    .map((other) => {
      const { group, version, resource, kind } = other;
      // Scales are of one version, whichever the resource's.
      const isOwnKind = attributes.kind.group === served.group && attributes.kind.kind === served.kind;
      return {
        resource: { group, version, resource },
        kind: isOwnKind ? { group, version, kind } : attributes.kind,
      };
    });
}

function matchesRule(
  rule: NamedRuleWithOperations,
  attributes: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  return (
    includesOrStar(rule.operations, attributes.operation) &&
    includesOrStar(rule.apiGroups, resource.group) &&
    includesOrStar(rule.apiVersions, resource.version) &&
    matchesScope(rule.scope, attributes) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, resource.resource, attributes.subresource)) &&
    matchesName(rule.resourceNames, attributes.name)
  );
}

function matchesName(names: readonly string[] = [], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

// Namespaces themselves count as cluster-scoped.
function matchesScope(scope: string | undefined, attributes: AdmissionAttributes): boolean {
  const isCluster = !attributes.isNamespaced || isNamespace(attributes);
  return scope === undefined || scope === "*" || (scope === "Cluster") === isCluster;
}

function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const [wantedResource = "", wantedSubresource = ""] = pattern.split("/");
  const isResource = wantedResource === "*" || wantedResource === resource;
  return isResource && (wantedSubresource === "*" || wantedSubresource === subresource);
}

/** Reports whether the namespace of a write, or the namespace that is written, has the labels. */
export function matchesNamespace(
  context: ServerContext,
  selector: LabelSelector | undefined,
  attributes: AdmissionAttributes,
): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  if (isNamespace(attributes)) {
    const labels =
      (attributes.operation === "DELETE" ? attributes.oldObject : attributes.object)?.metadata.labels ?? {};
    return storedSelectorMatcher(selector)(labels);
  }
  if (!attributes.isNamespaced) return true;
  const namespace = context.objects.get(NAMESPACES, { namespace: "", name: attributes.namespace });
  return storedSelectorMatcher(selector)(namespace?.metadata.labels);
}

/** Reports whether the object of a write, before or after it, has the labels. */
export function matchesObjects(selector: LabelSelector | undefined, attributes: AdmissionAttributes): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  return [attributes.object, attributes.oldObject].some(
    (object: ApiObject | undefined) => object !== undefined && storedSelectorMatcher(selector)(object.metadata.labels),
  );
}

/** Reports whether a namespace itself is written. */
export function isNamespace(attributes: AdmissionAttributes): boolean {
  return attributes.resource.group === "" && attributes.resource.resource === "namespaces";
}

function isEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

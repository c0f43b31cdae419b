import {
  matchesLabelSelector,
  type GroupVersionKind,
  type GroupVersionResource,
  newInternalError,
  StatusError,
} from "@kubescaffold/k8s";
import type {
  RuleWithOperations,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "@kubescaffold/k8s/admissionregistration/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import { type AdmissionAttributes, includesOrStar } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";

const NAMESPACES = { group: "", resource: "namespaces" } as const;

// Webhook configurations themselves are never sent, since a broken webhook could lock everyone out.
const EXEMPT_GROUP = "admissionregistration.k8s.io";

/** The version in which a webhook is to see a write. */
export interface WebhookMatch {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** Reports whether and in which version a webhook is to see a write; nothing when it is not. */
export function matchWebhook(
  context: ServerContext,
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
): WebhookMatch | undefined {
  if (attributes.resource.group === EXEMPT_GROUP) return undefined;
  if (!matchesNamespace(context, webhook.namespaceSelector, attributes)) return undefined;
  if (!matchesObjects(webhook.objectSelector, attributes)) return undefined;
  return matchRules(context, webhook, attributes);
}

function matchRules(
  context: ServerContext,
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
): WebhookMatch | undefined {
  const rules = webhook.rules ?? [];
  const asked = { resource: attributes.resource, kind: attributes.kind };
  if (rules.some((rule) => matchesRule(rule, attributes, asked.resource))) return asked;
  if (webhook.matchPolicy === "Exact") return undefined;
  return equivalents(context, attributes).find(({ resource }) =>
    rules.some((rule) => matchesRule(rule, attributes, resource)),
  );
}

// The same objects, or the same subresource of them, under other versions.
function equivalents(context: ServerContext, attributes: AdmissionAttributes): readonly WebhookMatch[] {
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
  rule: RuleWithOperations,
  attributes: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  return (
    includesOrStar(rule.operations, attributes.operation) &&
    includesOrStar(rule.apiGroups, resource.group) &&
    includesOrStar(rule.apiVersions, resource.version) &&
    matchesScope(rule.scope, attributes) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, resource.resource, attributes.subresource))
  );
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

function matchesNamespace(
  context: ServerContext,
  selector: LabelSelector | undefined,
  attributes: AdmissionAttributes,
): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  if (isNamespace(attributes)) {
    const labels =
      (attributes.operation === "DELETE" ? attributes.oldObject : attributes.object)?.metadata.labels ?? {};
    return matchesLabelSelector(selector, labels);
  }
  if (!attributes.isNamespaced) return true;
  const namespace = context.objects.get(NAMESPACES, { namespace: "", name: attributes.namespace });
  return matchesLabelSelector(selector, namespace?.metadata.labels ?? {});
}

function matchesObjects(selector: LabelSelector | undefined, attributes: AdmissionAttributes): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  return [attributes.object, attributes.oldObject].some(
    (object: ApiObject | undefined) =>
      object !== undefined && matchesLabelSelector(selector, object.metadata.labels ?? {}),
  );
}

function isNamespace(attributes: AdmissionAttributes): boolean {
  return attributes.resource.group === "" && attributes.resource.resource === "namespaces";
}

function isEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

const GROUP = "admissionregistration.k8s.io";
const MUTATING = { group: GROUP, resource: "mutatingwebhookconfigurations" } as const;
const VALIDATING = { group: GROUP, resource: "validatingwebhookconfigurations" } as const;

/** A webhook of either kind, with its configuration's defaults filled in where they matter here. */
export type ConfiguredWebhook = MutatingWebhook & ValidatingWebhook;

/** Lists the mutating webhooks in the order in which they run: by the name of their configuration, then as listed. */
export function mutatingWebhooks(context: ServerContext): readonly ConfiguredWebhook[] {
  const configurations = context.objects.list(MUTATING) as unknown as readonly MutatingWebhookConfiguration[];
  return configurations.flatMap((configuration) => (configuration.webhooks ?? []) as readonly ConfiguredWebhook[]);
}

/** Lists the validating webhooks. */
export function validatingWebhooks(context: ServerContext): readonly ConfiguredWebhook[] {
  const configurations = context.objects.list(VALIDATING) as unknown as readonly ValidatingWebhookConfiguration[];
  return configurations.flatMap((configuration) => (configuration.webhooks ?? []) as readonly ConfiguredWebhook[]);
}

/** A write as one webhook sees it: in another version than that of the request, where its rules are about that. */
export interface VersionedAttributes extends AdmissionAttributes {
  /** Completes a changed object of this version, and returns it in the version of the request. */
  readonly requested: (changed: ApiObject) => Promise<ApiObject>;
}

/** Returns a write in the version that a webhook is to see. Fails: with 500 when its objects cannot be converted. */
export async function versionedAttributes(
  { versions }: ServerContext,
  attributes: AdmissionAttributes,
  match: WebhookMatch,
): Promise<VersionedAttributes> {
  const { group, version } = attributes.kind;
  // Scales are of one version, whichever the resource's.
  if (match.kind.group === group && match.kind.version === version) {
    return { ...attributes, requested: (changed) => Promise.resolve(attributes.normalize(changed)) };
  }
  const seen = async (object: ApiObject | undefined): Promise<ApiObject | undefined> =>
    object && (await failing(versions.convert(object, { from: attributes.resource, to: match.resource })));
  return {
    ...attributes,
    object: await seen(attributes.object),
    oldObject: await seen(attributes.oldObject),
    requested: async (changed) => {
      const complete = versions.complete(changed, match.resource);
      const way = { from: match.resource, to: attributes.resource };
      return attributes.normalize(await failing(versions.convert(complete, way)));
    },
  };
}

async function failing<T>(converting: Promise<T>): Promise<T> {
  try {
    return await converting;
  } catch (error) {
    throw error instanceof StatusError ? newInternalError(error.message) : error;
  }
}

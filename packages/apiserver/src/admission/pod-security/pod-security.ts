import { aggregateFieldErrors } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import type { AdmissionAttributes, AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden, invalid } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { PodSubject } from "./check.ts";
import { exemptNamespaceWarning, type PodSecurityConfiguration } from "./pod-security-configuration.ts";
import { compareLevels, isPrivileged, isSameLevel, levelsOf, levelText } from "./pod-security-levels.ts";

const NAMESPACES = { group: "", resource: "namespaces" } as const;

/**
 * Refuses Pods that violate the level of their namespace, and warns about workloads whose Pods would. The checks are loaded with the first namespace
 * that has a level.
 */
export function podSecurity(context: ServerContext, configuration: PodSecurityConfiguration): AdmissionPlugin {
  return {
    name: "PodSecurity",
    validate: async (attributes) => {
      const { operation, resource, object } = attributes;
      if (object === undefined || (operation !== "CREATE" && operation !== "UPDATE")) return;
      const check = { context, configuration, attributes, object };
      if (resource.group === "" && resource.resource === "namespaces") await checkNamespace(check);
      else if (SPEC_PATHS[`${resource.group}/${resource.resource}`] !== undefined) await checkPod(check);
    },
  };
}

interface Check {
  readonly context: ServerContext;
  readonly configuration: PodSecurityConfiguration;
  readonly attributes: AdmissionAttributes;
  readonly object: ApiObject;
}

// Where the template of each kind is; Pods are their own.
const SPEC_PATHS: Readonly<Record<string, readonly string[]>> = {
  "/pods": [],
  "/podtemplates": ["template"],
  "/replicationcontrollers": ["spec", "template"],
  "apps/daemonsets": ["spec", "template"],
  "apps/deployments": ["spec", "template"],
  "apps/replicasets": ["spec", "template"],
  "apps/statefulsets": ["spec", "template"],
  "batch/cronjobs": ["spec", "jobTemplate", "spec", "template"],
  "batch/jobs": ["spec", "template"],
};

const IGNORED_SUBRESOURCES: ReadonlySet<string> = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);

const ANNOTATION = "pod-security.kubernetes.io/";

async function checkPod({ context, configuration, attributes, object }: Check): Promise<void> {
  const { resource, subresource, oldObject, user } = attributes;
  const isPod = resource.resource === "pods";
  if (isPod ? IGNORED_SUBRESOURCES.has(subresource) : subresource !== "") return;
  const exempt = (reason: string): void => attributes.annotate(`${ANNOTATION}exempt`, reason);
  if (configuration.namespaces.has(attributes.namespace)) return exempt("namespace");
  if (configuration.usernames.has(user.name)) return exempt("user");
  const labels = labelsOf(context, attributes.namespace);
  const { policy, errors } = levelsOf(labels, configuration.defaults);
  const { enforce, audit, warn } = policy;
  if (isPod && errors.length === 0 && isPrivileged(policy)) {
    attributes.annotate(`${ANNOTATION}enforce-policy`, "privileged:latest");
    return;
  }
  if (!isPod && errors.length === 0 && warn.level === "privileged" && audit.level === "privileged") return;
  const subject = subjectOf(object, SPEC_PATHS[`${resource.group}/${resource.resource}`] ?? []);
  if (subject === undefined || (isPod && oldObject !== undefined && !changesImages(object, oldObject))) return;
  if (configuration.runtimeClasses.has(subject.spec.runtimeClassName ?? "")) return exempt("runtimeClass");
  if (errors.length > 0)
    attributes.annotate(`${ANNOTATION}error`, () => `Failed to parse policy: ${aggregateFieldErrors(errors)}`);
  const { detailText, violationsOf } = await import("./evaluate-pod.ts");
  if (isPod) attributes.annotate(`${ANNOTATION}enforce-policy`, levelText(enforce));
  const violations = isPod ? violationsOf(enforce, subject) : [];
  attributes.annotate(`${ANNOTATION}audit-violations`, () => {
    const audited = violationsOf(audit, subject);
    if (audited.length === 0) return undefined;
    return `would violate PodSecurity "${levelText(audit)}": ${detailText(audited)}`;
  });
  if (violations.length > 0) {
    throw forbidden(
      { groupResource: resource, name: attributes.name },
      `violates PodSecurity "${levelText(enforce)}": ${detailText(violations)}`,
    );
  }
  const warnings = violationsOf(warn, subject);
  if (warnings.length > 0) {
    attributes.warn(`would violate PodSecurity "${levelText(warn)}": ${detailText(warnings)}`);
  }
}

function labelsOf({ objects }: ServerContext, name: string): Readonly<Record<string, string>> {
  return objects.get(NAMESPACES, { namespace: "", name })?.metadata.labels ?? {};
}

function subjectOf(object: ApiObject, path: readonly string[]): PodSubject | undefined {
  let current: unknown = object;
  for (const step of path) current = (current as Readonly<Record<string, unknown>> | undefined)?.[step];
  const { metadata = {}, spec } = (current ?? {}) as Partial<PodSubject>;
  return spec === undefined ? undefined : { metadata, spec };
}

// Of what can change in a Pod, only images and new ephemeral containers matter.
function changesImages(object: ApiObject, oldObject: ApiObject): boolean {
  const [pod, old] = [object, oldObject] as unknown as readonly [Pod, Pod];
  const ephemeral = (each: Pod): ReadonlyMap<string, string | undefined> =>
    new Map((each.spec?.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  const oldEphemeral = ephemeral(old);
  return (
    (["containers", "initContainers"] as const).some((list) => {
      const [images, oldImages] = [pod, old].map((each) => (each.spec?.[list] ?? []).map(({ image }) => image));
      return JSON.stringify(images) !== JSON.stringify(oldImages);
    }) || [...ephemeral(pod)].some(([name, image]) => !oldEphemeral.has(name) || oldEphemeral.get(name) !== image)
  );
}

async function checkNamespace({ context, configuration, attributes, object }: Check): Promise<void> {
  if (attributes.subresource !== "") return;
  const { defaults } = configuration;
  const labels = object.metadata.labels ?? {};
  const { policy, errors } = levelsOf(labels, defaults);
  const old =
    attributes.oldObject === undefined ? undefined : levelsOf(attributes.oldObject.metadata.labels ?? {}, defaults);
  const isUnchanged = old !== undefined && JSON.stringify(errors) === JSON.stringify(old.errors);
  if (errors.length > 0 && !isUnchanged) throw invalid({ groupKind: attributes.kind, name: attributes.name }, errors);
  const { enforce } = policy;
  if (old !== undefined) {
    const before = old.policy.enforce;
    if (enforce.level === "privileged" || isSameLevel(enforce, before)) return;
    if (enforce.minor === before.minor && compareLevels(enforce, before) < 1) return;
  }
  const name = object.metadata.name ?? "";
  if (configuration.namespaces.has(name)) {
    const warning = exemptNamespaceWarning(name, { policy, labels, defaults });
    if (warning !== undefined) attributes.warn(warning);
    return;
  }
  if (old === undefined) return;
  const { warningsForPods } = await import("./existing-pods.ts");
  for (const warning of warningsForPods(context, name, { level: enforce, configuration })) attributes.warn(warning);
}

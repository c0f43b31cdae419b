import type { Pod } from "@kubescaffold/k8s/core/v1";

import type { AdmissionAttributes, AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden, invalid } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { PodSubject } from "./check.ts";
import {
  compareLevels,
  DEFAULT_POLICY,
  hasLevels,
  isSameLevel,
  levelsOf,
  levelText,
  type PodSecurityPolicy,
} from "./pod-security-levels.ts";

const NAMESPACES = { group: "", resource: "namespaces" } as const;

/**
 * Refuses Pods that violate the level of their namespace, and warns about workloads whose Pods would. The checks are loaded with the first namespace
 * that has a level.
 */
export function podSecurity(context: ServerContext): AdmissionPlugin {
  return {
    name: "PodSecurity",
    validate: async (attributes) => {
      const { operation, resource, object } = attributes;
      if (object === undefined || (operation !== "CREATE" && operation !== "UPDATE")) return;
      if (resource.group === "" && resource.resource === "namespaces")
        await checkNamespace(context, attributes, object);
      else if (SPEC_PATHS[`${resource.group}/${resource.resource}`] !== undefined)
        await checkPod(context, attributes, object);
    },
  };
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

async function checkPod(context: ServerContext, attributes: AdmissionAttributes, object: ApiObject): Promise<void> {
  const { resource, subresource, oldObject } = attributes;
  const isPod = resource.resource === "pods";
  if (isPod ? IGNORED_SUBRESOURCES.has(subresource) : subresource !== "") return;
  const policy = policyOf(context, attributes.namespace);
  const { enforce, warn } = policy;
  if (warn.level === "privileged" && (!isPod || enforce.level === "privileged")) return;
  const subject = subjectOf(object, SPEC_PATHS[`${resource.group}/${resource.resource}`] ?? []);
  if (subject === undefined || (isPod && oldObject !== undefined && !changesImages(object, oldObject))) return;
  const { detailText, violationsOf } = await import("./evaluate-pod.ts");
  const violations = isPod ? violationsOf(enforce, subject) : [];
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

function policyOf({ objects }: ServerContext, name: string): PodSecurityPolicy {
  const labels = objects.get(NAMESPACES, { namespace: "", name })?.metadata.labels ?? {};
  return hasLevels(labels) ? levelsOf(labels).policy : DEFAULT_POLICY;
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

async function checkNamespace(
  context: ServerContext,
  attributes: AdmissionAttributes,
  object: ApiObject,
): Promise<void> {
  if (attributes.subresource !== "") return;
  const labels = object.metadata.labels ?? {};
  const oldLabels = attributes.oldObject?.metadata.labels ?? {};
  if (!hasLevels(labels) && !hasLevels(oldLabels)) return;
  const { policy, errors } = levelsOf(labels);
  const old = levelsOf(oldLabels);
  const isUnchanged = attributes.oldObject !== undefined && JSON.stringify(errors) === JSON.stringify(old.errors);
  if (errors.length > 0 && !isUnchanged) throw invalid({ groupKind: attributes.kind, name: attributes.name }, errors);
  const { enforce } = policy;
  if (attributes.oldObject === undefined || enforce.level === "privileged" || isSameLevel(enforce, old.policy.enforce))
    return;
  if (enforce.minor === old.policy.enforce.minor && compareLevels(enforce, old.policy.enforce) < 1) return;
  const { warningsForPods } = await import("./existing-pods.ts");
  for (const warning of warningsForPods(context, attributes.name, enforce)) attributes.warn(warning);
}

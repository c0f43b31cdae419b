import type { Pod, PodSpec } from "@kubescaffold/k8s/core/v1";
import type { PriorityClass } from "@kubescaffold/k8s/scheduling/v1";

import type { AdmissionAttributes, AdmissionPlugin } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { forbidden } from "../request/failures.ts";
import type { JsonObject } from "../storage/api-object.ts";

const PRIORITY_CLASSES = { group: "scheduling.k8s.io", resource: "priorityclasses" } as const;
const DEFAULT_POLICY = "PreemptLowerPriority";

/** The PriorityClasses that every cluster has, and nobody can delete. */
export const SYSTEM_PRIORITY_CLASSES: readonly JsonObject[] = [
  systemClass("system-cluster-critical", 2_000_000_000, "For Pods that the cluster needs, on any node"),
  systemClass("system-node-critical", 2_000_001_000, "For Pods that their node needs"),
];

function systemClass(name: string, value: number, description: string): JsonObject {
  return {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name, generation: 1 },
    description,
    preemptionPolicy: DEFAULT_POLICY,
    value,
  };
}

const SYSTEM_NAMES: ReadonlySet<string> = new Set(["system-cluster-critical", "system-node-critical"]);

/** Gives Pods the priority of their PriorityClass, and lets at most one class be the default. */
export function podPriority({ objects }: Pick<ServerContext, "objects">): AdmissionPlugin {
  const classes = (): readonly PriorityClass[] => objects.list(PRIORITY_CLASSES) as unknown as readonly PriorityClass[];
  return {
    name: "Priority",
    mutate: (attributes) => {
      const { resource, subresource, object, operation } = attributes;
      if (operation !== "CREATE" || resource.group !== "" || resource.resource !== "pods" || subresource !== "") {
        return undefined;
      }
      const pod = object as Pod | undefined;
      return pod?.spec === undefined ? undefined : { ...pod, spec: withPriority(pod.spec, attributes, classes()) };
    },
    validate: (attributes) => {
      const { group, resource } = attributes.resource;
      if (group === PRIORITY_CLASSES.group && resource === PRIORITY_CLASSES.resource) checkClass(attributes, classes());
    },
  };
}

function withPriority(spec: PodSpec, attributes: AdmissionAttributes, classes: readonly PriorityClass[]): PodSpec {
  const { priorityClassName = "" } = spec;
  const found = priorityClassName === "" ? defaultOf(classes) : named(classes, priorityClassName);
  const refuse = (message: string): Error =>
    forbidden({ groupResource: attributes.resource, name: attributes.name }, message);
  if (found === undefined && priorityClassName !== "") {
    throw refuse(`no PriorityClass with name ${priorityClassName} was found`);
  }
  const priority = found?.value ?? 0;
  const preemptionPolicy = found?.preemptionPolicy ?? DEFAULT_POLICY;
  const end = "given PriorityClass name";
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw refuse(
      `the integer value of priority (${String(spec.priority)}) must not be provided in pod spec; priority admission controller computed ${String(priority)} from the ${end}`,
    );
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refuse(
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the ${end}`,
    );
  }
  return {
    ...spec,
    ...(found === undefined ? {} : { priorityClassName: found.metadata.name ?? "" }),
    priority,
    preemptionPolicy,
  };
}

function named(classes: readonly PriorityClass[], name: string): PriorityClass | undefined {
  return classes.find(({ metadata }) => metadata.name === name);
}

// Several can be the default only if they were stored by other means than requests.
function defaultOf(classes: readonly PriorityClass[]): PriorityClass | undefined {
  return classes
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((left, right) => left.value - right.value)[0];
}

function checkClass(
  { operation, object, name, resource }: AdmissionAttributes,
  classes: readonly PriorityClass[],
): void {
  const refuse = (message: string): Error => forbidden({ groupResource: resource, name }, message);
  if (operation === "DELETE") {
    if (SYSTEM_NAMES.has(name)) throw refuse("this is a system priority class and cannot be deleted");
    return;
  }
  if ((object as PriorityClass | undefined)?.globalDefault !== true) return;
  const present = defaultOf(classes)?.metadata.name;
  if (present !== undefined && present !== name) {
    throw refuse(`PriorityClass ${present} is already marked as default. Only one default can exist`);
  }
}

import { isRecord } from "@kubescaffold/platform";

import { canonicalJson, type Schema, withoutDescriptions } from "./normal-form.ts";

/** A type of `@kubescaffold/k8s`. */
interface WellKnownType {
  readonly module: string;
  readonly name: string;
}

/** Looks up what controller-gen prints for a struct of the API, such as `core/v1.PodSpec`. */
export type StructLookup = (name: string) => Schema | undefined;

/** Finds the type of the API that a schema is of. */
export interface WellKnownTypes {
  /** Returns the type when the schema below its root is that of the type, texts included unless they may be lost. */
  readonly find: (schema: Schema) => WellKnownType | undefined;
}

/** Prepares the search; nothing is looked up before a schema is asked for. */
export function createWellKnownTypes(options: {
  readonly structSchema: StructLookup;
  /** Whether a type counts even though the texts of its properties get lost. */
  readonly losesTexts: boolean;
}): WellKnownTypes {
  let shapes: ReadonlyMap<string, WellKnownType> | undefined;
  return {
    find: (schema) => {
      const { description: _description, ...below } = schema;
      // Objects of a single property are too likely to be alike by chance.
      const properties = below["properties"];
      if (!isRecord(properties) || Object.keys(properties).length < 2) return undefined;
      const shape = options.losesTexts ? withoutDescriptions(below) : below;
      shapes ??= shapesOf(options.structSchema);
      return shapes.get(canonicalJson(shape));
    },
  };
}

function shapesOf(structSchema: StructLookup): ReadonlyMap<string, WellKnownType> {
  const shapes = new Map<string, WellKnownType>();
  for (const [place, names] of Object.entries(NAMES)) {
    for (const name of names.split(" ")) {
      const schema = structSchema(`${place}.${name}`);
      const shape = schema === undefined ? undefined : canonicalJson(schema);
      if (shape !== undefined && !shapes.has(shape)) shapes.set(shape, { module: `@kubescaffold/k8s/${place}`, name });
    }
  }
  return shapes;
}

// The structs that other APIs consist of; of those with one shape the first counts.
const NAMES: Readonly<Record<string, string>> = {
  "meta/v1": "Condition LabelSelector LabelSelectorRequirement OwnerReference",
  "core/v1":
    "PodTemplateSpec PodSpec Container EphemeralContainer EnvVar EnvVarSource EnvFromSource Volume VolumeMount VolumeDevice ContainerPort " +
    "Probe Lifecycle ResourceRequirements VolumeResourceRequirements SecurityContext PodSecurityContext SELinuxOptions SeccompProfile " +
    "Affinity NodeAffinity PodAffinity PodAntiAffinity PodAffinityTerm WeightedPodAffinityTerm NodeSelector NodeSelectorTerm " +
    "NodeSelectorRequirement Toleration TopologySpreadConstraint HostAlias PodDNSConfig SecretKeySelector ConfigMapKeySelector " +
    "ObjectReference TypedLocalObjectReference TypedObjectReference SecretReference KeyToPath PersistentVolumeClaimSpec " +
    "PersistentVolumeClaimTemplate PersistentVolumeClaimStatus ServicePort Taint ServiceSpec",
  "networking/v1":
    "NetworkPolicyPeer NetworkPolicyPort NetworkPolicyIngressRule NetworkPolicyEgressRule IngressTLS IngressRule",
  "rbac/v1": "PolicyRule Subject RoleRef",
  "batch/v1": "JobTemplateSpec JobSpec",
  "apps/v1": "DeploymentSpec StatefulSetSpec DaemonSetSpec DeploymentStrategy",
  "autoscaling/v2": "MetricSpec HorizontalPodAutoscalerBehavior",
};

import type { LibraryType, Shape } from "./package-model.ts";

const META = "k8s.io/apimachinery/pkg/apis/meta/v1";
const CORE = "k8s.io/api/core/v1";

/** Types whose schema both programs know without a description. */
export const KNOWN_TYPES: readonly LibraryType[] = [
  known("IntOrString", "k8s.io/apimachinery/pkg/util/intstr", "intstr", "int or string"),
  known("Quantity", "k8s.io/apimachinery/pkg/api/resource", "resource", "int or string"),
  known("RawExtension", "k8s.io/apimachinery/pkg/runtime", "runtime", "object"),
  {
    name: "JSONValue",
    go: { path: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", alias: "apiextensionsv1", name: "JSON" },
    module: "@kubescaffold/k8s",
    shape: "anything",
  },
  { ...meta("Time", "string") },
  { ...meta("MicroTime", "string") },
  { ...meta("Duration", "string") },
  { ...meta("ObjectMeta", "object") },
];

/** Structs of Kubernetes, which are compared without descriptions, since ours have none. */
export const STRUCT_TYPES: readonly LibraryType[] = [
  meta("Condition", "object"),
  meta("LabelSelector", "object"),
  ...[
    "Affinity",
    "ContainerPort",
    "EnvVar",
    "LocalObjectReference",
    "ObjectReference",
    "Probe",
    "ResourceRequirements",
    "SecretKeySelector",
    "SecurityContext",
    "ServicePort",
    "Toleration",
    "TopologySpreadConstraint",
    "VolumeMount",
  ].map((name): LibraryType => ({
    name,
    go: { path: CORE, alias: "corev1" },
    module: "@kubescaffold/k8s/core/v1",
    shape: "object",
  })),
];

/** All of them by name. */
export const LIBRARY_TYPES: ReadonlyMap<string, LibraryType> = new Map(
  [...KNOWN_TYPES, ...STRUCT_TYPES].map((each) => [each.name, each]),
);

function known(name: string, path: string, alias: string, shape: Shape): LibraryType {
  return { name, go: { path, alias }, module: "@kubescaffold/k8s", shape };
}

function meta(name: string, shape: Shape): LibraryType {
  return { name, go: { path: META, alias: "metav1" }, module: "@kubescaffold/k8s/meta/v1", shape };
}

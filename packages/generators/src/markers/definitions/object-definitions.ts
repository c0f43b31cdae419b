import {
  argumentsOf,
  BOOLEAN,
  FLAG,
  INTEGER,
  type MarkerDefinition,
  type MarkerGrammar,
  optional,
  required,
  STRING,
  STRINGS,
  valueOf,
} from "./marker-definition.ts";

/** Markers that shape the CRD object, name the group and version, and switch code generation. */
export const OBJECT_DEFINITIONS: readonly MarkerDefinition[] = [
  {
    name: "groupName",
    targets: ["package"],
    category: "CRD",
    grammar: { kind: "value", type: STRING, isOptional: true },
    summary: "The API group of the kinds in the package.",
  },
  {
    name: "versionName",
    targets: ["package"],
    category: "CRD",
    grammar: valueOf(STRING),
    summary: "The API version of the package, if it differs from the name of its folder.",
  },
  {
    name: "kubebuilder:skip",
    targets: ["package"],
    category: "CRD",
    grammar: FLAG,
    summary: "Skips the package: it has no kinds.",
  },
  onType(
    "kubebuilder:resource",
    argumentsOf(
      optional("path", STRING, "The plural name in URLs (default: derived from the kind)."),
      optional("shortName", STRINGS, "Short names for kubectl."),
      optional("categories", STRINGS, "Categories of the resource, such as all."),
      optional("singular", STRING, "The singular name (default: the kind in lower case)."),
      optional("scope", STRING, "Namespaced or Cluster."),
    ),
    "Sets the names and the scope of the resource.",
  ),
  onType("kubebuilder:subresource:status", FLAG, "Enables the status subresource."),
  onType(
    "kubebuilder:subresource:scale",
    argumentsOf(
      required("specpath", STRING, "The JSONPath of the desired number of replicas."),
      required("statuspath", STRING, "The JSONPath of the observed number of replicas."),
      optional("selectorpath", STRING, "The JSONPath of the Pods' label selector, as a string."),
    ),
    "Enables the scale subresource.",
  ),
  onType(
    "kubebuilder:printcolumn",
    argumentsOf(
      required("name", STRING, "The heading of the column."),
      required("type", STRING, "The type of the values: integer, number, string, boolean, or date."),
      required("JSONPath", STRING, "The path of the value in the object."),
      optional("description", STRING, "The description of the column."),
      optional("format", STRING, "The format of the values."),
      optional("priority", INTEGER, "The priority of the column; above 0, it is shown only in wide output."),
    ),
    "Adds a column to the output of kubectl get; repeatable.",
  ),
  onType(
    "kubebuilder:selectablefield",
    argumentsOf(required("JSONPath", STRING, "The path of the field in the object.")),
    "Makes a field available to field selectors; repeatable.",
  ),
  onType("kubebuilder:storageversion", FLAG, "Makes this version the storage version."),
  onType("kubebuilder:unservedversion", FLAG, "Marks this version as not served."),
  onType(
    "kubebuilder:deprecatedversion",
    argumentsOf(optional("warning", STRING, "The warning for clients of this version.")),
    "Marks this version as deprecated.",
  ),
  onType("kubebuilder:skipversion", FLAG, "Omits this version from the CRD."),
  onType(
    "kubebuilder:metadata",
    argumentsOf(
      optional("annotations", STRINGS, "Annotations of the CRD, each key=value."),
      optional("labels", STRINGS, "Labels of the CRD, each key=value."),
    ),
    "Adds annotations and labels to the CRD.",
  ),
  {
    name: "kubebuilder:object:root",
    targets: ["type"],
    category: "object",
    grammar: valueOf(BOOLEAN),
    summary: "Marks the type as a kind; the generator also detects kinds without it.",
  },
  {
    name: "kubebuilder:object:generate",
    targets: ["package", "type"],
    category: "object",
    grammar: valueOf(BOOLEAN),
    summary: "Whether the object generator covers the package or type.",
  },
  {
    name: "k8s:deepcopy-gen",
    targets: ["package", "type"],
    category: "object",
    grammar: { kind: "raw" },
    summary: "Controls deep copies in Go; accepted, without effect.",
  },
  {
    name: "k8s:deepcopy-gen:interfaces",
    targets: ["type"],
    category: "object",
    grammar: valueOf(STRING),
    summary: "The Go interfaces of deep copies; accepted, without effect.",
  },
  {
    name: "kubebuilder:ac:generate",
    targets: ["package", "type"],
    category: "applyconfiguration",
    grammar: valueOf(BOOLEAN),
    summary: "Whether to generate apply configurations for the kinds of the package, or for the type.",
  },
  {
    name: "kubebuilder:ac:output:package",
    targets: ["package"],
    category: "applyconfiguration",
    grammar: valueOf(STRING),
    summary: "The folder of zz_generated.apply.ts, relative to the package (default: the package).",
  },
  {
    name: "kubescaffold:conversion",
    targets: ["package"],
    category: "conversion",
    grammar: argumentsOf(
      required("kind", STRING, "The kind, which the package declares."),
      required("hub", STRING, "The version that all other versions are converted to and from."),
    ),
    summary: "Generates conversions between the version of the package, a spoke, and the hub of the kind.",
  },
  {
    name: "k8s:conversion-gen",
    targets: ["field"],
    category: "conversion",
    grammar: { kind: "raw" },
    summary: "Excludes the property from generated conversions if it is false; the annotation keeps its value.",
  },
];

function onType(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["type"], category: "CRD", grammar, summary };
}

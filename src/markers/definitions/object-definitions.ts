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
} from "../marker-definition.ts";

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
    summary: "The API version of the package, if it is not the name of its folder.",
  },
  {
    name: "kubebuilder:skip",
    targets: ["package"],
    category: "CRD",
    grammar: FLAG,
    summary: "The package has no kinds.",
  },
  onType(
    "kubebuilder:resource",
    argumentsOf(
      optional("path", STRING, "The plural name in URLs; by default made from the kind."),
      optional("shortName", STRINGS, "Short names for the command line."),
      optional("categories", STRINGS, "Groups of resources that the kind belongs to, such as all."),
      optional("singular", STRING, "The singular name; by default the kind in lower case."),
      optional("scope", STRING, "Namespaced or Cluster."),
    ),
    "Names the resource of the kind and says where it lives.",
  ),
  onType("kubebuilder:subresource:status", FLAG, "The status is written through a resource of its own."),
  onType(
    "kubebuilder:subresource:scale",
    argumentsOf(
      required("specpath", STRING, "The path to the wanted number of replicas."),
      required("statuspath", STRING, "The path to the observed number of replicas."),
      optional("selectorpath", STRING, "The path to the label selector of the pods, as text."),
    ),
    "The kind can be scaled.",
  ),
  onType(
    "kubebuilder:printcolumn",
    argumentsOf(
      required("name", STRING, "The heading."),
      required("type", STRING, "The type of the values: integer, number, string, boolean or date."),
      required("JSONPath", STRING, "Where in the object the value is."),
      optional("description", STRING, "What the column shows."),
      optional("format", STRING, "The format of the values."),
      optional("priority", INTEGER, "Columns above 0 show only in wide output."),
    ),
    "Adds a column to what kubectl get prints; may be repeated.",
  ),
  onType(
    "kubebuilder:selectablefield",
    argumentsOf(required("JSONPath", STRING, "Where in the object the field is.")),
    "A field that field selectors can use; may be repeated.",
  ),
  onType("kubebuilder:storageversion", FLAG, "Objects are stored in this version."),
  onType("kubebuilder:unservedversion", FLAG, "The API server does not serve this version."),
  onType(
    "kubebuilder:deprecatedversion",
    argumentsOf(optional("warning", STRING, "What clients of this version are told.")),
    "This version is deprecated.",
  ),
  onType("kubebuilder:skipversion", FLAG, "This version does not stand in the CRD."),
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
    summary: "The type is a kind; the generator sees that by itself.",
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
    summary: "Switches deep copies in Go; is read, and has no effect here.",
  },
  {
    name: "k8s:deepcopy-gen:interfaces",
    targets: ["type"],
    category: "object",
    grammar: valueOf(STRING),
    summary: "Names the Go interfaces of deep copies; is read, and has no effect here.",
  },
  {
    name: "kubebuilder:ac:generate",
    targets: ["package", "type"],
    category: "applyconfiguration",
    grammar: valueOf(BOOLEAN),
    summary: "Whether the package's kinds, or the type, get what server-side apply takes.",
  },
  {
    name: "kubebuilder:ac:output:package",
    targets: ["package"],
    category: "applyconfiguration",
    grammar: valueOf(STRING),
    summary: "The folder that zz_generated.apply.ts goes to, relative to the package; the package itself without it.",
  },
];

function onType(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["type"], category: "CRD", grammar, summary };
}

import {
  ANY,
  argumentsOf,
  FLAG,
  type MarkerDefinition,
  type MarkerGrammar,
  type MarkerTarget,
  optional,
  required,
  STRING,
  valueOf,
} from "./marker-definition.ts";

const CATEGORY = "CRD validation";
const PROCESSING = "CRD processing";

/** Markers of properties: presence, defaults, documentation, and how lists and objects are merged. */
export const FIELD_DEFINITIONS: readonly MarkerDefinition[] = [
  presence(
    "kubebuilder:validation:Required",
    ["package", "field"],
    "Makes the property required; for a package, all properties without another marker.",
  ),
  presence(
    "kubebuilder:validation:Optional",
    ["package", "field"],
    "Makes the property optional; for a package, all properties without another marker.",
  ),
  presence("required", ["field"], "Makes the property required."),
  presence("optional", ["field"], "Makes the property optional."),
  presence("k8s:required", ["field"], "Makes the property required and non-empty."),
  presence("k8s:optional", ["field"], "Makes the property optional."),
  presence("nullable", ["field"], "Allows null as the value."),
  fieldMarker("kubebuilder:default", ["field"], valueOf(ANY), "The default value."),
  fieldMarker("default", ["field"], { kind: "json" }, "The default value, in JSON."),
  fieldMarker("kubebuilder:example", ["field"], valueOf(ANY), "An example value."),
  fieldMarker("kubebuilder:title", ["type", "field"], valueOf(ANY), "The title of the value."),
  fieldMarker(
    "kubebuilder:externalDocs",
    ["type", "field"],
    argumentsOf(
      required("url", STRING, "The URL of the documentation."),
      optional("description", STRING, "The description of the documentation."),
    ),
    "Adds a link to external documentation.",
  ),
  fieldMarker(
    "kubebuilder:validation:EmbeddedResource",
    ["field"],
    FLAG,
    "The value is a complete Kubernetes object with apiVersion, kind, and metadata.",
  ),
  fieldMarker(
    "kubebuilder:validation:Schemaless",
    ["field"],
    FLAG,
    "Ignores the type of the property; the schema consists only of its markers.",
  ),
  fieldMarker("k8s:immutable", ["field"], FLAG, "Makes the value immutable once it is set."),
  fieldMarker(
    "k8s:minimum",
    ["field"],
    { kind: "decimal", isWhole: false, hasComment: true },
    "The minimum of the number.",
  ),
  fieldMarker(
    "k8s:maximum",
    ["field"],
    { kind: "decimal", isWhole: false, hasComment: true },
    "The maximum of the number.",
  ),
  fieldMarker(
    "k8s:maxItems",
    ["field"],
    { kind: "decimal", isWhole: true, hasComment: true },
    "The maximum number of items of the list.",
  ),
  {
    ...fieldMarker(
      "k8s:enum",
      ["type"],
      FLAG,
      "Makes the type an enum; unions of literals and enums are enums without it.",
    ),
    category: "CRD",
  },
  processing("kubebuilder:pruning:PreserveUnknownFields", FLAG, "Preserves fields that the schema does not specify."),
  processing("listType", valueOf(STRING), "The merge strategy of the list in server-side apply: map, set, or atomic."),
  processing(
    "k8s:listType",
    valueOf(STRING),
    "The merge strategy of the list in server-side apply: map, set, or atomic.",
  ),
  processing("listMapKey", valueOf(STRING), "A key property of the items, for a list of type map; repeatable."),
  processing("k8s:listMapKey", valueOf(STRING), "A key property of the items, for a list of type map; repeatable."),
  processing("mapType", valueOf(STRING), "The merge strategy of the map in server-side apply: granular or atomic."),
  processing(
    "structType",
    valueOf(STRING),
    "The merge strategy of the object in server-side apply: granular or atomic.",
  ),
  {
    name: "kubescaffold:schema",
    targets: ["type", "field"],
    category: CATEGORY,
    grammar: { kind: "json" },
    summary: "A JSON object of schema keywords that override the type and other markers; null removes a keyword.",
  },
];

function presence(name: string, targets: readonly MarkerTarget[], summary: string): MarkerDefinition {
  return { name, targets, category: CATEGORY, grammar: FLAG, summary };
}

function processing(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["type", "field"], category: PROCESSING, grammar, summary };
}

function fieldMarker(
  name: string,
  targets: readonly MarkerTarget[],
  grammar: MarkerGrammar,
  summary: string,
): MarkerDefinition {
  return { name, targets, category: CATEGORY, grammar, summary };
}

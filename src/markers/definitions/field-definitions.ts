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
} from "../marker-definition.ts";

const CATEGORY = "CRD validation";
const PROCESSING = "CRD processing";

/** Markers of properties: presence, defaults, documentation, and how lists and objects are merged. */
export const FIELD_DEFINITIONS: readonly MarkerDefinition[] = [
  presence(
    "kubebuilder:validation:Required",
    ["package", "field"],
    "The property must be given; above a package, all without another marker.",
  ),
  presence(
    "kubebuilder:validation:Optional",
    ["package", "field"],
    "The property may be left out; above a package, all without another marker.",
  ),
  presence("required", ["field"], "The property must be given."),
  presence("optional", ["field"], "The property may be left out."),
  presence("k8s:required", ["field"], "The property must be given and not be empty."),
  presence("k8s:optional", ["field"], "The property may be left out."),
  presence("nullable", ["field"], "The value may be null."),
  fieldMarker(
    "kubebuilder:default",
    ["field"],
    valueOf(ANY),
    "The value that the API server fills in when none is given.",
  ),
  fieldMarker(
    "default",
    ["field"],
    { kind: "json" },
    "The value, in JSON, that the API server fills in when none is given.",
  ),
  fieldMarker("kubebuilder:example", ["field"], valueOf(ANY), "A value that shows how the property is used."),
  fieldMarker("kubebuilder:title", ["type", "field"], valueOf(ANY), "A short name of the value, for people."),
  fieldMarker(
    "kubebuilder:externalDocs",
    ["type", "field"],
    argumentsOf(required("url", STRING, "Where the text is."), optional("description", STRING, "What it is about.")),
    "Refers to documentation elsewhere.",
  ),
  fieldMarker(
    "kubebuilder:validation:EmbeddedResource",
    ["field"],
    FLAG,
    "The value is a whole Kubernetes object with apiVersion, kind and metadata.",
  ),
  fieldMarker(
    "kubebuilder:validation:Schemaless",
    ["field"],
    FLAG,
    "The type of the property is not looked at; only its markers make the schema.",
  ),
  fieldMarker("k8s:immutable", ["field"], FLAG, "The value cannot be changed once it is set."),
  fieldMarker(
    "k8s:minimum",
    ["field"],
    { kind: "decimal", isWhole: false, hasComment: true },
    "The smallest number allowed.",
  ),
  fieldMarker(
    "k8s:maximum",
    ["field"],
    { kind: "decimal", isWhole: false, hasComment: true },
    "The largest number allowed.",
  ),
  fieldMarker(
    "k8s:maxItems",
    ["field"],
    { kind: "decimal", isWhole: true, hasComment: true },
    "How many items a list has at most.",
  ),
  {
    ...fieldMarker("k8s:enum", ["type"], FLAG, "The type is an enum, which literal unions and enums are anyway."),
    category: "CRD",
  },
  processing("kubebuilder:pruning:PreserveUnknownFields", FLAG, "Keeps fields that the schema does not name."),
  processing("listType", valueOf(STRING), "How server-side apply merges the list: map, set or atomic."),
  processing("k8s:listType", valueOf(STRING), "How server-side apply merges the list: map, set or atomic."),
  processing(
    "listMapKey",
    valueOf(STRING),
    "A property that identifies the items of a list of type map; may be repeated.",
  ),
  processing(
    "k8s:listMapKey",
    valueOf(STRING),
    "A property that identifies the items of a list of type map; may be repeated.",
  ),
  processing("mapType", valueOf(STRING), "How server-side apply merges the map: granular or atomic."),
  processing("structType", valueOf(STRING), "How server-side apply merges the object: granular or atomic."),
  {
    name: "kubescaffold:schema",
    targets: ["type", "field"],
    category: CATEGORY,
    grammar: { kind: "json" },
    summary:
      "A JSON object of schema keywords that replace what the type and other markers say, for what they cannot say; null removes a keyword.",
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

import type { SourceLocation } from "../loader/type-model.ts";
import type { MarkerValue, PayloadTag } from "../markers/definitions/marker-definition.ts";
import type { MarkerUse } from "../markers/read-markers.ts";
import type { JsonSchema, SchemaNode, ValidationRule } from "./model/schema-node.ts";
import { joinOverrides, OVERRIDE_MARKER } from "./override-schema.ts";
import { addRule, showValue, TAG_RULES } from "./tags/declarative-rules.ts";
import { PAYLOAD_RULES } from "./tags/payload-rules.ts";
import { addListRules } from "./tags/unique-rules.ts";

/** A marker that does not fit the schema it is at. */
interface MarkerMisfit {
  readonly message: string;
  readonly hint: string;
  readonly location: SourceLocation;
}

export interface ApplyMarkersOptions {
  readonly markers: readonly MarkerUse[];
  /** The node to change; it must not be shared yet. */
  readonly node: SchemaNode;
  /** Returns the schema of the named type that a node is a use of. */
  readonly typeOf: (reference: string) => SchemaNode;
  readonly report: (misfit: MarkerMisfit) => void;
  /** Whether the markers are above a type. Default: false. */
  readonly isType?: boolean;
}

/** Writes what markers say into a schema, in upstream's order: by priority, then as they are in the source. */
export function applyMarkers({ markers, node, typeOf, report, isType = false }: ApplyMarkersOptions): void {
  const ordered = markers.toSorted((left, right) => priorityOf(left.name) - priorityOf(right.name));
  const hasEnum = node.enum !== undefined;
  for (const marker of ordered.filter((each) => !isForItems(each))) {
    applyMarker({ marker, name: marker.name, node, hasEnum, typeOf, report, isType });
  }
  const itemsHaveEnum = node.items?.enum !== undefined;
  for (const marker of ordered.filter((each) => isForItems(each))) {
    applyToItems({ marker, node, hasEnum: itemsHaveEnum, typeOf, report, isType });
  }
  addListRules(node, markers, typeOf);
}

const VALIDATION = "kubebuilder:validation:";
const ITEMS = "kubebuilder:validation:items:";

const EARLY = new Set([
  `${VALIDATION}Type`,
  `${VALIDATION}XIntOrString`,
  "listType",
  "k8s:listType",
  "k8s:unique",
  "default",
]);
const LATE: ReadonlyMap<string, number> = new Map([
  [`${VALIDATION}AtMostOneOf`, 11],
  [`${VALIDATION}ExactlyOneOf`, 12],
  [`${VALIDATION}AtLeastOneOf`, 13],
  // They find what other markers set.
  ["k8s:format", 14],
  ["k8s:maxBytes", 14],
  ["k8s:eachVal", 15],
  ["k8s:subfield", 15],
  ["k8s:item", 15],
  ["k8s:customUnique", 15],
]);

function priorityOf(name: string): number {
  const plain = name.replace(ITEMS, VALIDATION);
  if (plain === "k8s:opaqueType") return 0;
  return EARLY.has(plain) ? 9 : (LATE.get(plain) ?? 10);
}

function isForItems({ name }: MarkerUse): boolean {
  return name.startsWith(ITEMS);
}

interface Application {
  readonly marker: MarkerUse;
  /** The name of the rule, which for the items of a list is not that of the marker. */
  readonly name: string;
  readonly node: SchemaNode;
  /** Whether the written type is an enum. */
  readonly hasEnum: boolean;
  readonly typeOf: (reference: string) => SchemaNode;
  readonly report: (misfit: MarkerMisfit) => void;
  readonly isType: boolean;
}

function applyMarker(application: Application): void {
  const { marker, name, node, report } = application;
  const problem =
    RULES.get(name)?.(node, marker.value, application) ?? applyPayload({ name, value: marker.value }, application);
  // The type is reported already: what does not fit it is a consequence.
  if (problem === undefined || node.isUnresolved === true) return;
  const [message, hint] = typeof problem === "string" ? [problem, "remove the marker or change the type"] : problem;
  report({ message: `+${marker.name} ${message}`, hint, location: marker.location });
}

function applyPayload(
  { name, value }: PayloadTag,
  application: Application,
  place?: { readonly node: SchemaNode; readonly view: SchemaNode },
): Problem {
  const { node, view } = place ?? { node: application.node, view: application.node };
  const { typeOf } = application;
  return PAYLOAD_RULES.get(name)?.(node, value, {
    view,
    typeOf,
    isInside: place !== undefined,
    isType: application.isType,
    apply: (tag, child, childView) =>
      RULES.get(tag.name)?.(child, tag.value, { ...application, name: tag.name, node: child, hasEnum: false }) ??
      applyPayload(tag, application, { node: child, view: childView }),
  });
}

function applyToItems({ marker, node, hasEnum, typeOf, report, isType }: Omit<Application, "name">): void {
  const name = marker.name.replace(ITEMS, VALIDATION);
  if (node.items !== undefined) {
    const items = { ...node.items };
    node.items = items;
    return applyMarker({ marker, name, node: items, hasEnum, typeOf, report, isType });
  }
  const type = node.reference === undefined ? undefined : followReferences(node, typeOf);
  if (type?.items === undefined) {
    if (node.isUnresolved === true) return undefined;
    return report({
      message: `+${marker.name} needs a list, but the type is ${typeName(node)}`,
      hint: "remove the marker or change the type",
      location: marker.location,
    });
  }
  const { type: itemsType } = type.items.reference === undefined ? type.items : followReferences(type.items, typeOf);
  const overlay: SchemaNode = itemsType === undefined ? {} : { type: itemsType };
  node.items = overlay;
  node.hasItemsOverlay = true;
  return applyMarker({ marker, name, node: overlay, hasEnum, typeOf, report, isType });
}

/** Returns the first node behind a chain of references that is not itself only a reference. */
function followReferences(node: SchemaNode, typeOf: (reference: string) => SchemaNode): SchemaNode {
  let current = node;
  while (current.reference !== undefined) current = typeOf(current.reference);
  return current;
}

type Problem = string | readonly [message: string, hint: string] | undefined;
type Rule = (node: SchemaNode, value: MarkerValue, application: Application) => Problem;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [`${VALIDATION}Maximum`, bound("maximum")],
  [`${VALIDATION}Minimum`, bound("minimum")],
  ["k8s:maximum", bound("maximum")],
  ["k8s:minimum", bound("minimum")],
  [`${VALIDATION}MultipleOf`, bound("multipleOf")],
  [`${VALIDATION}ExclusiveMaximum`, forNumbers((node, value) => void (node.exclusiveMaximum = value === true))],
  [`${VALIDATION}ExclusiveMinimum`, forNumbers((node, value) => void (node.exclusiveMinimum = value === true))],
  [`${VALIDATION}MaxLength`, forText((node, value) => void (node.maxLength = value as number))],
  [`${VALIDATION}MinLength`, forText((node, value) => void (node.minLength = value as number))],
  [`${VALIDATION}Pattern`, forText((node, value) => void (node.pattern = textOf(value)))],
  [`${VALIDATION}MaxItems`, forLists((node, value) => void (node.maxItems = value as number))],
  ["k8s:maxItems", forLists((node, value) => void (node.maxItems = value as number))],
  [`${VALIDATION}MinItems`, forLists((node, value) => void (node.minItems = value as number))],
  [`${VALIDATION}UniqueItems`, forLists((node, value) => void (node.uniqueItems = value === true))],
  [`${VALIDATION}MaxProperties`, forObjects((node, value) => void (node.maxProperties = value as number))],
  [`${VALIDATION}MinProperties`, forObjects((node, value) => void (node.minProperties = value as number))],
  [`${VALIDATION}Enum`, applyEnum],
  [`${VALIDATION}Format`, always((node, value) => void (node.format = textOf(value)))],
  [`${VALIDATION}Type`, always((node, value) => void (node.type = textOf(value)))],
  [`${VALIDATION}XPreserveUnknownFields`, always((node) => void (node["x-kubernetes-preserve-unknown-fields"] = true))],
  [
    "kubebuilder:pruning:PreserveUnknownFields",
    always((node) => void (node["x-kubernetes-preserve-unknown-fields"] = true)),
  ],
  [`${VALIDATION}XEmbeddedResource`, always((node) => void (node["x-kubernetes-embedded-resource"] = true))],
  [`${VALIDATION}EmbeddedResource`, always((node) => void (node["x-kubernetes-embedded-resource"] = true))],
  [`${VALIDATION}XIntOrString`, always((node) => void (node["x-kubernetes-int-or-string"] = true))],
  [`${VALIDATION}XValidation`, applyRule],
  [
    `${VALIDATION}AtMostOneOf`,
    oneOf((names) => ({
      rule: `${sumOf(names)} <= 1`,
      message: `at most one of the fields in [${names.join(" ")}] may be set`,
    })),
  ],
  [
    `${VALIDATION}ExactlyOneOf`,
    oneOf((names) => ({
      rule: `${sumOf(names)} == 1`,
      message: `exactly one of the fields in [${names.join(" ")}] must be set`,
    })),
  ],
  [
    `${VALIDATION}AtLeastOneOf`,
    oneOf((names) => ({
      rule: names.map((name) => `has(self.${name})`).join("||"),
      message: `at least one of the fields in [${names.join(" ")}] must be set`,
    })),
  ],
  ["nullable", always((node) => void (node.nullable = true))],
  ["kubebuilder:default", applyDefault],
  ["default", applyJsonDefault],
  ["kubebuilder:example", always((node, value) => void (node.example = value))],
  ["kubebuilder:title", applyTitle],
  ["kubebuilder:externalDocs", applyExternalDocs],
  ["k8s:immutable", always((node) => addRule(node, { rule: "self == oldSelf", message: "field is immutable" }))],
  ["k8s:required", applyNonEmpty],
  ["k8s:enum", checkEnum],
  ["listType", forLists(applyListType)],
  ["k8s:listType", forLists(applyListType)],
  ["listMapKey", forLists(applyListMapKey)],
  ["k8s:listMapKey", forLists(applyListMapKey)],
  ["mapType", forObjects(applyMapType)],
  ["structType", forObjects(applyMapType)],
  ...TAG_RULES,
  [OVERRIDE_MARKER, applyOverride],
]);

function always(apply: (node: SchemaNode, value: MarkerValue) => void): Rule {
  return (node, value) => {
    apply(node, value);
    return undefined;
  };
}

function bound(keyword: "maximum" | "minimum" | "multipleOf"): Rule {
  return forNumbers((node, value) => {
    if (node.type === "integer" && !Number.isInteger(Number(value))) {
      return [`expects an integer, found ${showValue(value)}`, "use an integer"];
    }
    node[keyword] = value as number;
    return undefined;
  });
}

function forNumbers(rule: Rule): Rule {
  return (node, value, application) =>
    node.type === "integer" || node.type === "number"
      ? rule(node, value, application)
      : `needs a number, but the type is ${typeName(node)}`;
}

function forText(rule: Rule): Rule {
  return (node, value, application) => {
    const isIntOrString =
      node["x-kubernetes-int-or-string"] ?? resolvedType(node, application)["x-kubernetes-int-or-string"];
    if (node.type === "string" || isIntOrString === true) return rule(node, value, application);
    return `needs a string, but the type is ${typeName(node)}`;
  };
}

function resolvedType(node: SchemaNode, { typeOf }: Application): SchemaNode {
  return node.reference === undefined ? node : followReferences(node, typeOf);
}

function forLists(rule: Rule): Rule {
  return (node, value, application) =>
    node.type === "array" ? rule(node, value, application) : `needs a list, but the type is ${typeName(node)}`;
}

function forObjects(rule: Rule): Rule {
  return (node, value, application) =>
    node.type === "object" || (node.type === undefined && application.name === "structType")
      ? rule(node, value, application)
      : `needs an object, but the type is ${typeName(node)}`;
}

function typeName(node: SchemaNode): string {
  if (node.type !== undefined) return node.format === undefined ? node.type : `${node.type} (${node.format})`;
  return "not known";
}

// An enum that the type has wins over one of the use; of several markers the last one counts.
function applyEnum(node: SchemaNode, value: MarkerValue, { hasEnum }: Application): Problem {
  if (!hasEnum && Array.isArray(value)) node.enum = value;
  return undefined;
}

// The values come from the type, so the marker needs a type with values.
function checkEnum(node: SchemaNode): Problem {
  const isScalar = node.type !== "object" && node.type !== "array";
  if (node.enum !== undefined && isScalar) {
    // Upstream has no other enums than those of texts, whatever Type says.
    if (node.enum.every((each) => typeof each === "string")) node.type = "string";
    return undefined;
  }
  return ["needs an enum, but the type has no values", 'write the values as a union of literals, such as "a" | "b"'];
}

const REASONS = ["FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"];

function applyRule(node: SchemaNode, value: MarkerValue): Problem {
  const given = value as Readonly<Record<string, MarkerValue>>;
  const reason = given["reason"];
  if (typeof reason === "string" && reason !== "" && !REASONS.includes(reason)) {
    return [`has an unknown reason ${JSON.stringify(reason)}`, `use one of ${REASONS.join(", ")}`];
  }
  const stated = Object.entries(given).filter(
    ([key, each]) => key === "rule" || (each !== "" && (each !== false || key === "optionalOldSelf")),
  );
  addRule(node, Object.fromEntries(stated) as unknown as ValidationRule);
  return undefined;
}

function oneOf(make: (names: readonly string[]) => ValidationRule): Rule {
  return (node, value) => {
    const names = (value as readonly MarkerValue[]).map(String);
    if (names.length > 0) addRule(node, make(names));
    return undefined;
  };
}

function sumOf(names: readonly string[]): string {
  return names.map((name) => `(has(self.${name})?1:0)`).join("+");
}

function applyJsonDefault(node: SchemaNode, value: MarkerValue, { marker }: Application): Problem {
  if (value === null) return undefined;
  node.default = value;
  node.defaultOrigin = marker.location;
  return undefined;
}

function applyDefault(node: SchemaNode, value: MarkerValue, { marker }: Application): Problem {
  const isEmptyMap =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  node.default = node.type === "array" && isEmptyMap ? [] : value;
  node.defaultOrigin = marker.location;
  return undefined;
}

function applyTitle(node: SchemaNode, value: MarkerValue): Problem {
  if (typeof value !== "string") return [`expects a string, found ${showValue(value)}`, "quote the title"];
  node.title = value;
  return undefined;
}

// What no host can hold, though browsers' rules for addresses let some of it pass.
const ODD_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*[{}|\\^`\s]/iu;

function applyExternalDocs(node: SchemaNode, value: MarkerValue): Problem {
  const { url, description } = value as Readonly<Record<string, string>>;
  const isAddress = url !== undefined && (url.startsWith("/") || (URL.canParse(url) && !ODD_HOST.test(url)));
  if (!isAddress) return [`has an invalid url: ${JSON.stringify(url)}`, "use an absolute URL or an absolute path"];
  node.externalDocs = description === undefined || description === "" ? { url } : { description, url };
  return undefined;
}

function applyNonEmpty(node: SchemaNode): Problem {
  if (node.type === "string") node.minLength ??= 1;
  else if (node.type === "array") node.minItems ??= 1;
  else if (node.type === "object") node.minProperties ??= 1;
  return undefined;
}

function applyListType(node: SchemaNode, value: MarkerValue): Problem {
  if (value !== "map" && value !== "set" && value !== "atomic")
    return [`expects map, set, or atomic, found ${JSON.stringify(value)}`, "write map, set, or atomic"];
  node["x-kubernetes-list-type"] = value;
  return undefined;
}

function applyListMapKey(node: SchemaNode, value: MarkerValue, application: Application): Problem {
  if (node.uniqueItemsOf === "map" && application.marker.name === "k8s:listMapKey") {
    node.uniqueKeys = [...new Set([...(node.uniqueKeys ?? []), textOf(value)])];
    return undefined;
  }
  const listType = node["x-kubernetes-list-type"] ?? resolvedType(node, application)["x-kubernetes-list-type"];
  if (listType !== "map") return ["needs a list of type map", "add +listType=map above it"];
  const keys = node["x-kubernetes-list-map-keys"] ?? [];
  if (!keys.includes(textOf(value))) node["x-kubernetes-list-map-keys"] = [...keys, textOf(value)];
  return undefined;
}

function applyMapType(node: SchemaNode, value: MarkerValue): Problem {
  if (value !== "granular" && value !== "atomic")
    return [`expects granular or atomic, found ${JSON.stringify(value)}`, "write granular or atomic"];
  node["x-kubernetes-map-type"] = value;
  return undefined;
}

function applyOverride(node: SchemaNode, value: MarkerValue): Problem {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`expects a JSON object, found ${showValue(value)}`, 'write schema keywords: {"anyOf":[…]}'];
  node.override = joinOverrides(node.override, value as JsonSchema);
  return undefined;
}

function textOf(value: MarkerValue): string {
  return typeof value === "string" ? value : "";
}

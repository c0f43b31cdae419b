import { isRecord } from "@kubescaffold/platform";

import { markerText } from "./marker-text.ts";
import type { Schema } from "./normal-form.ts";

/** What the markers of a place act on: the schema that the TypeScript type gives. */
export interface MarkerSubject {
  readonly type: string | undefined;
  /** Whether the value is an integer or a string. */
  readonly isIntOrString?: boolean;
  readonly isStruct?: boolean;
}

/** Where markers stand: above a property, above a type, or above a list for its items. */
export type MarkerPlace = "field" | "type" | "items";

/** Keywords as markers, and those that no marker can say. */
export interface KeywordMarkers {
  readonly markers: readonly string[];
  readonly left: Schema;
}

/** Says keywords of a schema by markers, as far as there are any for them. */
export function keywordMarkers(
  keywords: Schema,
  { subject, place }: { readonly subject: MarkerSubject; readonly place: MarkerPlace },
): KeywordMarkers {
  const markers: string[] = [];
  const left: Record<string, unknown> = {};
  // The keys of a list are markers that need the one that says its type.
  const ordered = Object.entries(keywords).toSorted(([one], [other]) => rankOf(one) - rankOf(other));
  for (const [key, value] of ordered) {
    const texts = RULES.get(key)?.({ value, keywords, subject, place });
    if (texts === undefined || texts.includes(undefined)) left[key] = value;
    else markers.push(...texts.filter((text) => text !== undefined));
  }
  return { markers, left };
}

function rankOf(key: string): number {
  return key === "type" ? 0 : key === "x-kubernetes-list-map-keys" ? 2 : 1;
}

interface RuleInput {
  readonly value: unknown;
  /** All keywords of the place. */
  readonly keywords: Schema;
  readonly subject: MarkerSubject;
  readonly place: MarkerPlace;
}

/** Returns the markers of a keyword; undefined, also among them, when there is none for the value. */
type Rule = (input: RuleInput) => readonly (string | undefined)[] | undefined;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["type", validation("Type", () => true)],
  ["format", validation("Format", () => true)],
  ["maximum", bound("Maximum")],
  ["minimum", bound("Minimum")],
  ["multipleOf", bound("MultipleOf")],
  ["exclusiveMaximum", validation("ExclusiveMaximum", isNumber)],
  ["exclusiveMinimum", validation("ExclusiveMinimum", isNumber)],
  ["maxLength", validation("MaxLength", isText)],
  ["minLength", validation("MinLength", isText)],
  ["pattern", validation("Pattern", isText)],
  ["maxItems", validation("MaxItems", isList)],
  ["minItems", validation("MinItems", isList)],
  ["uniqueItems", validation("UniqueItems", isList)],
  ["maxProperties", validation("MaxProperties", isObject)],
  ["minProperties", validation("MinProperties", isObject)],
  ["x-kubernetes-validations", celRules],
  ["x-kubernetes-preserve-unknown-fields", preserveUnknown],
  ["x-kubernetes-embedded-resource", embeddedResource],
  ["x-kubernetes-int-or-string", validation("XIntOrString", () => true)],
  ["x-kubernetes-list-type", notForItems(listType)],
  ["x-kubernetes-list-map-keys", notForItems(listMapKeys)],
  ["x-kubernetes-map-type", notForItems(mapType)],
  [
    "title",
    notForItems(({ value }) => (typeof value === "string" ? [markerText("kubebuilder:title", value)] : undefined)),
  ],
  ["externalDocs", notForItems(({ value }) => [markerText("kubebuilder:externalDocs", value)])],
  ["default", defaultValue],
  ["example", ({ value, place }) => (place === "field" ? [markerText("kubebuilder:example", value)] : undefined)],
]);

function validation(name: string, fits: (subject: MarkerSubject) => boolean): Rule {
  return ({ value, subject, place }) => (fits(subject) ? [markerText(nameAt(name, place), value)] : undefined);
}

function nameAt(name: string, place: MarkerPlace): string {
  return `kubebuilder:validation:${place === "items" ? "items:" : ""}${name}`;
}

function bound(name: string): Rule {
  return (input) => {
    if (input.subject.type === "integer" && !Number.isInteger(input.value)) return undefined;
    return validation(name, isNumber)(input);
  };
}

function isNumber({ type }: MarkerSubject): boolean {
  return type === "integer" || type === "number";
}

function isText({ type, isIntOrString }: MarkerSubject): boolean {
  return type === "string" || isIntOrString === true;
}

function isList({ type }: MarkerSubject): boolean {
  return type === "array";
}

function isObject({ type }: MarkerSubject): boolean {
  return type === "object";
}

const REASONS: readonly unknown[] = [
  undefined,
  "FieldValueRequired",
  "FieldValueInvalid",
  "FieldValueForbidden",
  "FieldValueDuplicate",
];

function celRules({ value, place }: RuleInput): readonly (string | undefined)[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((rule: unknown) => {
    if (!isRecord(rule) || !REASONS.includes(rule["reason"])) return undefined;
    return markerText(nameAt("XValidation", place), inReadingOrder(rule));
  });
}

function inReadingOrder(rule: Schema): Schema {
  const { rule: expression, message, ...rest } = rule;
  return { rule: expression, ...(message === undefined ? {} : { message }), ...rest };
}

function preserveUnknown({ value, place }: RuleInput): readonly (string | undefined)[] {
  const name =
    place === "items" ? nameAt("XPreserveUnknownFields", place) : "kubebuilder:pruning:PreserveUnknownFields";
  return [markerText(name, value)];
}

function embeddedResource({ value, place }: RuleInput): readonly (string | undefined)[] {
  return [markerText(nameAt(place === "field" ? "EmbeddedResource" : "XEmbeddedResource", place), value)];
}

function notForItems(rule: Rule): Rule {
  return (input) => (input.place === "items" ? undefined : rule(input));
}

function listType({ value, subject }: RuleInput): readonly (string | undefined)[] | undefined {
  const isKnown = value === "map" || value === "set" || value === "atomic";
  return isKnown && isList(subject) ? [markerText("listType", value)] : undefined;
}

function listMapKeys({ value, keywords, subject }: RuleInput): readonly (string | undefined)[] | undefined {
  if (keywords["x-kubernetes-list-type"] !== "map" || !isList(subject)) return undefined;
  if (!Array.isArray(value) || new Set(value).size < value.length) return undefined;
  return value.map((key: unknown) => markerText("listMapKey", key));
}

function mapType({ value, subject }: RuleInput): readonly (string | undefined)[] | undefined {
  const isKnown = value === "granular" || value === "atomic";
  if (!isKnown || !isObject(subject)) return undefined;
  return [markerText(subject.isStruct === true ? "structType" : "mapType", value)];
}

function defaultValue({ value, place, subject }: RuleInput): readonly (string | undefined)[] | undefined {
  if (place !== "field") return undefined;
  // An empty map above a list is read as an empty list.
  const isTaken = subject.type === "array" && isRecord(value);
  return [(isTaken ? undefined : markerText("kubebuilder:default", value)) ?? markerText("default", value)];
}

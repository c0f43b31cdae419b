import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
  resourceNameOf,
} from "@kubescaffold/k8s";
import { asRecord, isRecord } from "@kubescaffold/platform";

import { quotedText } from "../typescript/literals.ts";
import type { Schema } from "./normal-form.ts";

/** One way in which a CustomResourceDefinition breaks a rule of API servers. */
export interface CrdProblem {
  /** The number of the document, from 0; documents that are neither maps nor lists do not count. */
  readonly document: number;
  /** The field, such as `spec.versions[0].name`; keys with dots are in brackets. */
  readonly field: string;
  /** The problem, in lower case. */
  readonly message: string;
  /** How to fix it. */
  readonly hint: string;
}

/** Checks the names of the CustomResourceDefinitions among the documents of a text, those in lists too, by the rules of API servers. */
export function crdProblems(documents: readonly unknown[]): readonly CrdProblem[] {
  return documents
    .filter((each) => isRecord(each) || Array.isArray(each))
    .flatMap((each, index) => problemsIn(each, "").map((problem) => ({ ...problem, document: index })));
}

type Problem = Omit<CrdProblem, "document">;

function problemsIn(document: unknown, prefix: string): readonly Problem[] {
  if (!isRecord(document)) return [];
  const { kind, items } = document;
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items))
    return items.flatMap((item, index) => problemsIn(item, `${prefix}items[${index}].`));
  if (kind !== "CustomResourceDefinition") return [];
  return [...namesOf(document), ...versionsOf(document), ...metadataOf(document)].map((problem) => ({
    ...problem,
    field: `${prefix}${problem.field}`,
  }));
}

const LABEL_HINT = "use at most 63 lower-case letters, digits, and dashes, starting with a letter";
const KIND_HINT = "use at most 63 letters and digits, starting with a letter";

function namesOf(document: Schema): readonly Problem[] {
  const spec = asRecord(document["spec"]);
  const names = asRecord(spec["names"]);
  const { group, scope } = spec;
  const text = (key: string): readonly Problem[] =>
    labelProblems({ field: `spec.names.${key}`, what: key, value: names[key], hint: LABEL_HINT });
  const kindText = (key: string): readonly Problem[] =>
    labelProblems({ field: `spec.names.${key}`, what: key, value: names[key], hint: KIND_HINT, isKind: true });
  return [
    ...(group === undefined ? [] : groupProblems(group)),
    ...(scope === undefined || scope === "Namespaced" || scope === "Cluster"
      ? []
      : [refused({ field: "spec.scope", what: "scope", value: scope, hint: "write Namespaced or Cluster" })]),
    ...kindText("kind"),
    ...kindText("listKind"),
    ...text("plural"),
    ...text("singular"),
    ...listOf(names, "shortNames", "short name"),
    ...listOf(names, "categories", "category"),
  ];
}

function groupProblems(group: unknown): readonly Problem[] {
  const place = {
    field: "spec.group",
    what: "group",
    value: group,
    hint: "use a DNS subdomain such as apps.example.com",
  };
  if (typeof group !== "string") return [refused(place)];
  const [problem] = dns1123SubdomainErrors(group);
  if (problem !== undefined) return [refused({ ...place, problem })];
  return group.includes(".") ? [] : [refused({ ...place, problem: "it needs at least one dot" })];
}

function listOf(names: Schema, key: string, what: string): readonly Problem[] {
  const list = names[key];
  if (list === undefined || list === null) return [];
  const field = `spec.names.${key}`;
  if (!Array.isArray(list)) return [refused({ field, what: key, value: list, hint: "write a list" })];
  return list.flatMap((value: unknown, index) =>
    labelProblems({ field: `${field}[${index}]`, what, value, hint: LABEL_HINT, isNeeded: true }),
  );
}

function versionsOf(document: Schema): readonly Problem[] {
  const { versions } = asRecord(document["spec"]);
  if (!Array.isArray(versions)) return [];
  const names = versions.map((version: unknown) => asRecord(version)["name"]);
  return versions.flatMap((version: unknown, index) => {
    const field = `spec.versions[${index}]`;
    const { name, additionalPrinterColumns, selectableFields, deprecationWarning, subresources } = asRecord(version);
    const { scale } = asRecord(subresources);
    return [
      ...labelProblems({
        field: `${field}.name`,
        what: "version",
        value: name,
        hint: `${LABEL_HINT}, such as v1alpha1`,
      }),
      ...(name !== undefined && names.indexOf(name) < index
        ? [
            refused({
              field: `${field}.name`,
              what: "version",
              value: name,
              problem: "it is a duplicate",
              hint: "keep one of them",
            }),
          ]
        : []),
      ...(deprecationWarning === undefined ? [] : warningProblems(`${field}.deprecationWarning`, deprecationWarning)),
      ...entriesOf(additionalPrinterColumns).flatMap(([column, at]) =>
        columnProblems(`${field}.additionalPrinterColumns[${at}]`, column),
      ),
      ...entriesOf(selectableFields).flatMap(([{ jsonPath }, at]) =>
        pathProblems(`${field}.selectableFields[${at}].jsonPath`, jsonPath),
      ),
      ...Object.entries(asRecord(scale)).flatMap(([key, path]) =>
        pathProblems(`${field}.subresources.scale.${key}`, path, SCALE_PATH),
      ),
    ];
  });
}

function entriesOf(list: unknown): readonly (readonly [Schema, number])[] {
  return Array.isArray(list) ? list.map((each: unknown, index) => [asRecord(each), index] as const) : [];
}

const COLUMN_TYPES: readonly unknown[] = ["boolean", "date", "integer", "number", "string"];

function columnProblems(
  field: string,
  { name, type, format, description, jsonPath, priority }: Schema,
): readonly Problem[] {
  const hint = "write one line of text";
  return [
    ...(isLine(name) && name !== ""
      ? []
      : [refused({ field: `${field}.name`, what: "name of a column", value: name, hint })]),
    ...(COLUMN_TYPES.includes(type)
      ? []
      : [
          refused({
            field: `${field}.type`,
            what: "type of a column",
            value: type,
            hint: `types are ${COLUMN_TYPES.join(", ")}`,
          }),
        ]),
    ...(format === undefined || (typeof format === "string" && /^[\w-]*$/u.test(format))
      ? []
      : [
          refused({
            field: `${field}.format`,
            what: "format of a column",
            value: format,
            hint: "write a format of OpenAPI, such as int32",
          }),
        ]),
    ...(description === undefined || typeof description === "string"
      ? []
      : [
          refused({
            field: `${field}.description`,
            what: "description of a column",
            value: description,
            hint: "write a text",
          }),
        ]),
    ...(priority === undefined || typeof priority === "number"
      ? []
      : [
          refused({
            field: `${field}.priority`,
            what: "priority of a column",
            value: priority,
            hint: "write a number",
          }),
        ]),
    ...pathProblems(`${field}.jsonPath`, jsonPath),
  ];
}

// Servers take no lists here.
const SCALE_PATH = /^\.(?:spec|status)\.[^[]+$/u;

function pathProblems(field: string, path: unknown, form = /^\./u): readonly Problem[] {
  if (isLine(path) && form.test(path)) return [];
  return [
    refused({ field, what: "path", value: path, hint: "write a path that starts with a dot, such as .spec.replicas" }),
  ];
}

const LONGEST_WARNING = 256;

function warningProblems(field: string, warning: unknown): readonly Problem[] {
  const isPrintable = isLine(warning) && !/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(warning);
  if (isPrintable && Buffer.byteLength(warning) <= LONGEST_WARNING) return [];
  const hint = `write one line of at most ${LONGEST_WARNING} bytes`;
  return [refused({ field, what: "deprecation warning", value: warning, hint })];
}

function metadataOf(document: Schema): readonly Problem[] {
  const { name, labels, annotations } = asRecord(document["metadata"]);
  const { group, names } = asRecord(document["spec"]);
  const { kind, plural } = asRecord(names);
  const usual = typeof kind === "string" ? resourceNameOf(kind) : "";
  const wanted = `${typeof plural === "string" && plural !== "" ? plural : usual}.${String(group)}`;
  const hint = `write ${quotedText(wanted)}: the plural, a dot, and the group`;
  return [
    ...(name === undefined || name === wanted
      ? []
      : [
          refused({
            field: "metadata.name",
            what: "name",
            value: name,
            problem: "it is not the plural and the group",
            hint,
          }),
        ]),
    ...mapProblems("metadata.labels", labels, (key, value) => [
      ...qualifiedNameErrors(key),
      ...labelValueErrors(value),
    ]),
    ...mapProblems("metadata.annotations", annotations, (key) => qualifiedNameErrors(key.toLowerCase())),
  ];
}

function mapProblems(
  field: string,
  map: unknown,
  check: (key: string, value: string) => readonly string[],
): readonly Problem[] {
  return Object.entries(asRecord(map)).flatMap(([key, value]) =>
    check(key, String(value)).map((problem) =>
      refused({ field: `${field}[${key}]`, what: "entry", value: key, problem, hint: "write example.com/key" }),
    ),
  );
}

interface Name {
  readonly field: string;
  readonly what: string;
  readonly value: unknown;
  readonly hint: string;
}

function labelProblems({
  isKind = false,
  isNeeded = false,
  ...name
}: Name & { readonly isKind?: boolean; readonly isNeeded?: boolean }): readonly Problem[] {
  const { value } = name;
  if (value === undefined || value === null || value === "") return isNeeded ? [refused(name)] : [];
  if (typeof value !== "string") return [refused(name)];
  const [problem] = dns1035LabelErrors(isKind ? value.toLowerCase() : value);
  // Some letters of other scripts are Latin ones in lower case.
  if (problem === undefined && (!isKind || /^[\x20-\x7E]*$/u.test(value))) return [];
  return [refused({ ...name, ...(problem === undefined ? {} : { problem }) })];
}

function refused({
  field,
  what,
  value,
  problem = "it is not a valid value",
  hint,
}: Name & { readonly problem?: string }): Problem {
  return { field, message: `API servers reject the ${what} ${shown(value)}: ${problem}`, hint };
}

function shown(value: unknown): string {
  if (value === undefined) return "that is missing";
  return quotedText(typeof value === "string" ? value : JSON.stringify(value));
}

function isLine(value: unknown): value is string {
  return typeof value === "string" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
}

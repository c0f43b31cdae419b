import { type FieldError, fieldErrorBody, printServerJson } from "@kubescaffold/k8s";

import type { CheckCodeName } from "./check-codes.ts";
import { lastOf, type SchemaTrail } from "./schema-trail.ts";
import type { WrittenMarker } from "./source-index.ts";

/** What a server's refusal of a schema means for the sources. */
export interface SchemaVerdict {
  readonly code: CheckCodeName;
  readonly message: string;
  readonly hint: string;
  /** The markers that can be meant, without the prefix of their family. */
  readonly markers: readonly string[];
  readonly fits?: (marker: WrittenMarker) => boolean;
  /** The value, where it is to be quoted; the hint shows it as the user wrote it. */
  readonly unquoted?: string;
  /** How many nodes above the one that is named the finding belongs to. */
  readonly above?: number;
}

/** Says in the words of the sources what a server's refusal means; `subject` is how the place is called. */
export function judgeRefusal(error: FieldError, trail: SchemaTrail, subject: string): SchemaVerdict {
  const { keyword } = trail;
  const { detail } = error;
  if (detail.includes("x-kubernetes-list-map-keys, so it")) return judgeKey(detail, trail);
  if (keyword === "default" && !detail.includes("to be structural")) return judgeDefault(error, trail, subject);
  if (keyword === "pattern" && error.type === "FieldValueInvalid") return judgePattern(error, subject);
  if (keyword === "uniqueItems") {
    return {
      code: "CRD_UNIQUE_ITEMS",
      message: `${subject} has uniqueItems, which API servers reject because of its quadratic cost`,
      hint: "write +listType=set, or +listType=map with +listMapKey",
      markers: ["UniqueItems"],
    };
  }
  if (keyword === "x-kubernetes-list-map-keys") return judgeKeys(error, trail, subject);
  if (/x-kubernetes-(?:list|map)-type/u.test(detail) || /-(?:list|map)-type$/u.test(keyword))
    return judgeTopology(error, subject);
  return judgeStructure(error, trail, subject);
}

function judgeDefault(error: FieldError, trail: SchemaTrail, subject: string): SchemaVerdict {
  const markers = ["default"];
  const shown = showValue(error.badValue);
  if (error.detail.startsWith("must not be set")) {
    return {
      code: "CRD_DEFAULT_MISPLACED",
      message: `${subject} has a default where API servers allow none: it ${error.detail}`,
      hint: "remove the default",
      markers,
    };
  }
  if (error.detail === "must not have unknown fields") {
    return {
      code: "CRD_DEFAULT_PRUNED",
      message: `the default of ${subject} has fields that its type does not have: ${shown}`,
      hint: "remove these fields from the default, or declare them in the type",
      markers,
    };
  }
  const given = lastOf(trail).default;
  const isUnquoted = lastOf(trail).type === "string" && (typeof given === "number" || typeof given === "boolean");
  return {
    code: "CRD_DEFAULT_REJECTED",
    message: `the default of ${subject} does not match its schema: ${reasonOf(error)}`,
    hint: "change the default, or the type or marker that rejects it",
    ...(isUnquoted ? { unquoted: String(given) } : {}),
    markers,
  };
}

// Servers put the path of the field into the sentence, here in the terms of their schema.
function reasonOf(error: FieldError): string {
  const inside = /\.default\.?(.*)$/su.exec(error.field)?.[1] ?? "";
  const sentence = / in body (.*)$/su.exec(` ${error.detail}`)?.[1] ?? fieldErrorBody(error);
  return inside === "" ? sentence : `${inside} ${sentence}`;
}

function judgePattern({ badValue, detail }: FieldError, subject: string): SchemaVerdict {
  const reason = detail.replace(/^must be a valid regular expression, but isn't: /u, "");
  return {
    code: "CRD_PATTERN_INVALID",
    message: `the pattern of ${subject} is not a valid Go regular expression: ${reason}`,
    hint: "API servers use RE2, without look-around and back-references; quote the pattern with backticks to keep backslashes",
    markers: ["Pattern"],
    fits: ({ use }) => use.value === badValue,
  };
}

// The server names the property of the items; the finding belongs to the list, which is two nodes above.
function judgeKey(detail: string, trail: SchemaTrail): SchemaVerdict {
  const key = trail.name.slice(trail.name.lastIndexOf(".") + 1);
  const isNullable = detail.includes("nullable");
  return {
    code: "CRD_LIST_MAP_KEY",
    message: isNullable
      ? `${key} is a key of a list of type map, but nullable`
      : `${key} is a key of a list of type map, but neither required nor defaulted`,
    hint: isNullable
      ? `remove null from the type of ${key}`
      : `declare ${key} without a question mark, or add +kubebuilder:default`,
    markers: ["listMapKey"],
    fits: ({ use }) => use.value === key,
    above: 2,
  };
}

function judgeKeys({ detail }: FieldError, trail: SchemaTrail, subject: string): SchemaVerdict {
  const { items, "x-kubernetes-list-map-keys": keys = [] } = lastOf(trail);
  const known = new Set(Object.keys(items?.properties ?? {}));
  const missing = keys.filter((key) => !known.has(key));
  if (detail === "entries must all be names of item properties" && missing.length > 0) {
    return {
      code: "CRD_LIST_MAP_KEY",
      message: `the items of ${subject} have no property ${missing.join(", ")}, which is a key of the list`,
      hint: `name one of ${[...known].join(", ") || "the properties that the items get"}`,
      markers: ["listMapKey"],
      fits: ({ use }) => typeof use.value === "string" && missing.includes(use.value),
    };
  }
  return {
    code: "CRD_LIST_MAP_KEY",
    message: `the keys of the list ${subject} are not valid: ${detail}`,
    hint: "add +listMapKey with the name of a property of the items",
    markers: ["listMapKey", "listType"],
  };
}

function judgeTopology({ detail }: FieldError, subject: string): SchemaVerdict {
  const common = { message: `${subject}: ${detail}` };
  if (detail.includes("must be atomic as item")) {
    return {
      code: "CRD_LIST_TYPE",
      message: `${subject.replace(/^an item of /u, "")} is a set, but its items are objects or lists that are not atomic`,
      hint: "put +structType=atomic above the type of the items, or use +listType=map with +listMapKey",
      markers: ["listType"],
      above: 1,
    };
  }
  if (detail.includes("must be a scalar type")) {
    return {
      code: "CRD_LIST_MAP_KEY",
      message: `${subject} is a key of a list of type map, but not a string, number, or boolean`,
      hint: "use another property with +listMapKey",
      markers: ["listMapKey"],
      above: 2,
    };
  }
  if (detail.includes("parent array")) {
    return {
      code: "CRD_LIST_TYPE",
      message: `the items of ${subject.replace(/^an item of /u, "")} are not objects, so they have no keys`,
      hint: "use +listType=set or +listType=atomic",
      markers: ["listType"],
      above: 1,
    };
  }
  return {
    ...common,
    code: "CRD_LIST_TYPE",
    hint: "remove the marker or change the type",
    markers: ["listType", "mapType", "structType", "listMapKey"],
  };
}

const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /must not be empty (?:at|for specified)/u,
    "set its type with +kubebuilder:validation:Type, or allow any value with +kubebuilder:pruning:PreserveUnknownFields",
  ],
  [
    /must be (?:undefined|empty|false) to be structural/u,
    "the markers of the property and its type conflict, which results in allOf; keep one of them",
  ],
  [
    /must not be empty if x-kubernetes-embedded-resource/u,
    "add +kubebuilder:pruning:PreserveUnknownFields, or declare the properties of the object",
  ],
  [/metadata is implicitly specified/u, "remove the markers from metadata; API servers define its schema"],
  [/mutual exclusive/u, "move the index signature to a separate property"],
  [/fields are allowed at the root/u, "remove the marker from the kind, or put it above the type of spec"],
];

function judgeStructure(error: FieldError, trail: SchemaTrail, subject: string): SchemaVerdict {
  const hint = HINTS.find(([pattern]) => pattern.test(error.detail))?.[1] ?? "change the type or the marker";
  const what = trail.keyword === "" ? subject : `${trail.keyword} of ${subject}`;
  return {
    code: "CRD_NOT_STRUCTURAL",
    message: `API servers reject the schema: ${what} ${sentenceOf(error)}`,
    hint,
    markers: MARKERS_OF_KEYWORDS.get(trail.keyword) ?? [],
  };
}

function sentenceOf(error: FieldError): string {
  return /^(?:must|should|cannot)/u.test(error.detail) ? error.detail : fieldErrorBody(error);
}

const MARKERS_OF_KEYWORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["type", ["Type", "Schemaless", "EmbeddedResource", "XEmbeddedResource"]],
  ["default", ["default"]],
  ["nullable", ["nullable"]],
  ["title", ["title"]],
  ["properties", ["EmbeddedResource", "XEmbeddedResource"]],
  ["x-kubernetes-embedded-resource", ["EmbeddedResource", "XEmbeddedResource"]],
  ["x-kubernetes-preserve-unknown-fields", ["XPreserveUnknownFields", "pruning:PreserveUnknownFields"]],
  ["x-kubernetes-int-or-string", ["XIntOrString"]],
  ["x-kubernetes-validations", ["XValidation"]],
]);

const LONGEST_VALUE = 80;

function showValue(value: unknown): string {
  // Absent values have no JSON.
  const text = (printServerJson(value) as string | undefined) ?? "nothing";
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

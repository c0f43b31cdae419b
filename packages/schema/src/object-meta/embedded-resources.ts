import { type FieldError, type JSONValue, dns1035LabelErrors, invalidField, requiredField } from "@kubescaffold/k8s";

import { type JsonObject, isJsonList, isJsonObject, memberOf } from "../json/json-value.ts";
import { type FieldPath, childPath, keyPath } from "../model/field-path.ts";
import { type JsonSchema, additionalSchemaOf, itemsOf, propertyOf } from "../model/json-schema.ts";
import { objectMetaTypeProblem } from "./object-meta-shape.ts";
import { type MetaWording, validateObjectMeta } from "./validate-object-meta.ts";

/** Checks `apiVersion`, `kind` and `metadata` of all objects that a schema marks as embedded resources. */
export function checkEmbeddedResources(
  schema: JsonSchema,
  value: JSONValue,
  path: FieldPath,
  wording?: MetaWording,
): readonly FieldError[] {
  if (isJsonList(value)) {
    const items = itemsOf(schema);
    return items === undefined
      ? []
      : value.flatMap((item, index) => checkEmbeddedResources(items, item, keyPath(path, index), wording));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return [
    ...(schema["x-kubernetes-embedded-resource"] === true ? checkResource(value, path, wording) : []),
    ...Object.entries(value).flatMap(([name, member]) => {
      const property = propertyOf(schema, name);
      const part = property ?? additionalSchemaOf(schema);
      const at = property === undefined ? keyPath(path, name) : childPath(path, name);
      return part === undefined ? [] : checkEmbeddedResources(part, member, at, wording);
    }),
  ];
}

function checkResource(resource: JsonObject, path: FieldPath, wording?: MetaWording): readonly FieldError[] {
  const missing = ["apiVersion", "kind"].filter((name) => memberOf(resource, name) === undefined);
  return [
    ...missing.map((name) => requiredField(childPath(path, name), "")),
    ...checkText(resource, "apiVersion", path, apiVersionProblems),
    ...checkText(resource, "kind", path, kindProblems),
    ...checkMetadata(memberOf(resource, "metadata"), childPath(path, "metadata"), wording),
  ];
}

function checkText(
  resource: JsonObject,
  name: string,
  path: FieldPath,
  problems: (text: string) => readonly string[],
): readonly FieldError[] {
  const value = memberOf(resource, name);
  const at = childPath(path, name);
  if (value === undefined) {
    return [];
  }
  if (typeof value !== "string") {
    return [invalidField(at, value, "must be a string")];
  }
  return value === ""
    ? [invalidField(at, value, "must not be empty")]
    : problems(value).map((problem) => invalidField(at, value, problem));
}

function apiVersionProblems(apiVersion: string): readonly string[] {
  return apiVersion.split("/").length > 2 ? [`unexpected GroupVersion string: ${apiVersion}`] : [];
}

function kindProblems(kind: string): readonly string[] {
  const problems = dns1035LabelErrors(kind.toLowerCase());
  return problems.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${problems.join(",")}`];
}

function checkMetadata(metadata: JSONValue | undefined, path: string, wording?: MetaWording): readonly FieldError[] {
  if (metadata === undefined) {
    return [];
  }
  const problem = objectMetaTypeProblem(metadata);
  if (problem !== undefined) {
    return [invalidField(path, metadata, problem)];
  }
  const members = isJsonObject(metadata) ? metadata : {};
  const namespace = memberOf(members, "namespace");
  const name = memberOf(members, "name");
  // An embedded object may go without a name.
  const named = name === undefined || name === "" || name === null ? { ...members, name: "fakename" } : members;
  const isNamespaced = typeof namespace === "string" && namespace !== "";
  return validateObjectMeta(named, {
    path,
    isNamespaced,
    nameRule: pathSegmentErrors,
    ...(wording === undefined ? {} : { wording }),
  });
}

/** Returns the reasons why a name is not a segment of a path; a prefix may be dots. */
export function pathSegmentErrors(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === "." || name === "..")) {
    return [`may not be '${name}'`];
  }
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

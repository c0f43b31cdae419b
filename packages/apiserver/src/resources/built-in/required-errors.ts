import { type FieldError, isRecord } from "@kubescaffold/k8s";
import { itemsOf, propertyOf, resolveSchema, additionalSchemaOf, type JsonSchema } from "@kubescaffold/schema";

import type { ApiObject } from "../../storage/api-object.ts";
import type { ResolvableSchema } from "./built-in-json-schema.ts";

/** Returns an error for every required field of a built-in object that is absent or empty, and for values outside an enum. */
export function requiredErrors(schema: ResolvableSchema, object: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  walk({ schema: schema.schema, value: object, path: "", resolvable: schema, errors });
  return errors;
}

interface Step {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: string;
  readonly resolvable: ResolvableSchema;
  readonly errors: FieldError[];
}

function walk(step: Step): void {
  const schema = resolveSchema(step.schema, step.resolvable);
  const { value, path, errors } = step;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items !== undefined) {
      value.forEach((item, index) => walk({ ...step, schema: items, value: item, path: `${path}[${index}]` }));
    }
    return;
  }
  if (isRecord(value)) {
    walkObject(step, schema, value);
    return;
  }
  const { enum: values } = schema;
  if (values !== undefined && typeof value === "string" && value !== "" && !values.includes(value)) {
    const supported = values.filter((item) => item !== "").map((item) => JSON.stringify(item));
    errors.push({
      type: "FieldValueNotSupported",
      field: path,
      badValue: value,
      detail: `supported values: ${supported.join(", ")}`,
    });
  }
}

// Metadata and the conversion of definitions have their own checks; the status is written by controllers, not by users.
const CHECKED_ELSEWHERE: ReadonlySet<string> = new Set(["metadata", "status", "spec.conversion"]);
// So have the schemas of definitions, at whatever depth.
const SCHEMA = "openAPIV3Schema";

function walkObject(step: Step, schema: JsonSchema, value: Record<string, unknown>): void {
  const { path, errors } = step;
  for (const name of schema.required ?? []) {
    const field = value[name];
    if (path !== "" && (field === undefined || field === "")) {
      errors.push({ type: "FieldValueRequired", field: `${path}.${name}`, detail: "" });
    }
  }
  for (const [name, field] of Object.entries(value)) {
    const property = propertyOf(schema, name) ?? additionalSchemaOf(schema);
    const place = path === "" ? name : `${path}.${name}`;
    const isElsewhere = name === SCHEMA || CHECKED_ELSEWHERE.has(place);
    if (property !== undefined && !isElsewhere) {
      walk({ ...step, schema: property, value: field, path: place });
    }
  }
}

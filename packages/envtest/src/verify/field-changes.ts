import { type ApiServer } from "@kubescaffold/apiserver";
import { gvkOf } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

import { fieldOf } from "./sample-objects.ts";
import type { FieldChange, Schedule } from "./schedule.ts";

const MOST_LEVELS = 4;
// The top-level domain is reserved, so that no host has the name.
const OTHER_IMAGE = "registry.invalid/verify:2";

/**
 * Returns a change of each scalar field in `spec` of the samples, by the schemas of their CRDs: a value that the schema allows and that differs from the sample's.
 * Rules and patterns may refuse it; the server decides.
 */
export function fieldChanges(
  samples: readonly KubernetesObject[],
  resources: Pick<ApiServer["context"]["resources"], "schemaOf">,
): readonly FieldChange[] {
  return samples.flatMap((sample, index) => {
    const spec = field(field(resources.schemaOf(gvkOf(sample)), "properties"), "spec");
    return fieldsIn(spec, ["spec"]).flatMap(({ path, schema }) => {
      const value = otherValue(schema, { name: path.at(-1) ?? "", current: fieldOf(sample, path) });
      return value === undefined ? [] : [{ sample: index, path, value }];
    });
  });
}

/** Returns the steps that change a field and change it back, and those that create the samples with the change. */
export function changeSchedules(change: FieldChange): { readonly changed: Schedule; readonly created: Schedule } {
  return {
    changed: {
      changes: [],
      steps: [
        { kind: "create" },
        { kind: "change", change, isBack: false },
        { kind: "change", change, isBack: true },
        { kind: "delete" },
      ],
    },
    created: { changes: [change], steps: [{ kind: "create" }] },
  };
}

interface SchemaField {
  readonly path: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

function fieldsIn(schema: unknown, path: readonly string[]): readonly SchemaField[] {
  if (!isRecord(schema) || path.length > MOST_LEVELS) return [];
  const { properties } = schema;
  if (!isRecord(properties)) return path.length === 1 ? [] : [{ path, schema }];
  return Object.entries(properties).flatMap(([name, property]) => fieldsIn(property, [...path, name]));
}

interface ChangedValue {
  readonly name: string;
  readonly current: unknown;
}

function otherValue(schema: Readonly<Record<string, unknown>>, changed: ChangedValue): unknown {
  const { type, enum: values } = schema;
  const current = changed.current ?? schema["default"];
  if (Array.isArray(values)) return values.find((value) => value !== current);
  if (type === "boolean") return current !== true;
  if (type === "integer" || type === "number") return otherNumber(schema, typeof current === "number" ? current : 0);
  if (type === "string" && typeof schema["format"] !== "string") return otherText(schema, { ...changed, current });
  return undefined;
}

function otherNumber(schema: Readonly<Record<string, unknown>>, current: number): number | undefined {
  const { minimum, maximum } = schema;
  const isAllowed = (value: number): boolean =>
    (typeof minimum !== "number" || value >= minimum) && (typeof maximum !== "number" || value <= maximum);
  const lowest = typeof minimum === "number" ? Math.ceil(minimum) : 0;
  return [current + 1, current - 1, lowest].find((value) => value !== current && isAllowed(value));
}

function otherText(schema: Readonly<Record<string, unknown>>, { name, current }: ChangedValue): string | undefined {
  const text = typeof current === "string" ? current : "";
  const value = /image$/iu.test(name) ? OTHER_IMAGE : `${text === "" ? "verify" : text}-b`;
  const { maxLength } = schema;
  return typeof maxLength === "number" && value.length > maxLength ? undefined : value;
}

function field(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

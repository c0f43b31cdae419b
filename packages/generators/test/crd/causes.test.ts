/** A type without a schema is one error: what its markers lack is a consequence of it. */
import { describe, expect, it } from "vitest";

import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const TYPES = {
  number: "GENERATE_BARE_NUMBER",
  "number | null": "GENERATE_BARE_NUMBER",
  bigint: "GENERATE_UNSUPPORTED_TYPE",
  symbol: "GENERATE_UNSUPPORTED_TYPE",
  "() => void": "GENERATE_UNSUPPORTED_TYPE",
  Date: "GENERATE_UNSUPPORTED_TYPE",
  PullPolicy: "GENERATE_UNKNOWN_TYPE",
  'Condition["none"]': "GENERATE_UNKNOWN_TYPE",
  "{ a: string; [key: string]: string }": "GENERATE_INDEX_BESIDE_PROPERTIES",
} as const;
const MARKERS = [
  "kubebuilder:validation:Minimum=1",
  "kubebuilder:validation:ExclusiveMaximum=true",
  "kubebuilder:validation:MultipleOf=2",
  "kubebuilder:validation:MaxLength=3",
  'kubebuilder:validation:Pattern="^a$"',
  "kubebuilder:validation:MinItems=1",
  "kubebuilder:validation:UniqueItems=true",
  "kubebuilder:validation:MaxProperties=4",
  "kubebuilder:validation:items:Minimum=1",
  "kubebuilder:default=3",
  "listType=set",
  "mapType=atomic",
];

async function codesOf(type: string, marker: string): Promise<readonly string[]> {
  const source = `// +groupName=example.com
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";
/** +kubebuilder:object:root=true */
export interface A extends NamespacedObject { spec: {
  /** +${marker} */
  field?: ${type};
} }
`;
  const host = memoryHost({ "/project/api/v1/types.ts": source });
  const { diagnostics } = await runGenerators({ root: "/project", arguments: ["crd", "paths=./..."], host });
  return diagnostics.map((each) => each.code);
}

describe.each(Object.entries(TYPES))("a field of type %s", (type, code) => {
  it.each(MARKERS)("has one error beside +%s, about its type", async (marker) => {
    expect(await codesOf(type, marker)).toEqual([code]);
  });
});

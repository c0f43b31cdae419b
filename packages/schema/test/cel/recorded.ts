import { readFileSync } from "node:fs";

import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema } from "../../src/model/json-schema.ts";

/** Is what kube-apiserver's packages made of one expression. */
export interface RecordedAnswer {
  readonly expression: string;
  readonly issues?: readonly { readonly message: string; readonly line: number; readonly column: number }[];
  readonly outputType?: string;
  readonly value?: unknown;
  readonly error?: string;
  /** What the evaluation cost, and the most that it may cost. */
  readonly cost?: number;
  readonly estimate?: number;
}

/** Is a schema and a value of it, with expressions about them. */
export interface RecordedGroup {
  readonly schema: JsonSchema;
  readonly self: JSONValue;
  readonly oldSelf?: JSONValue;
  readonly optionalOldSelf?: boolean;
  readonly isRoot?: boolean;
  readonly answers: readonly RecordedAnswer[];
}

/** Reads the answers that scripts/record-cel.mjs recorded. */
export function recordedGroups(name: "language" | "libraries" | "schemas" | "wild"): readonly RecordedGroup[] {
  return JSON.parse(readText(name)) as readonly RecordedGroup[];
}

/** Reads the functions of the server's environment: by name the overloads, and their signatures. */
export function recordedFunctions(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return JSON.parse(readText("functions")) as Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function readText(name: string): string {
  return readFileSync(new URL(`./recorded/${name}.json`, import.meta.url), "utf8");
}

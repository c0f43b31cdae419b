import type { JsonSchema } from "../../src/model/json-schema.ts";

/** Is a question to upstream's libraries. */
export type OracleCase =
  | { readonly op: "validate"; readonly schema: JsonSchema; readonly value: unknown; readonly previous?: unknown }
  | { readonly op: "prune" | "default"; readonly schema: JsonSchema; readonly value: unknown }
  | { readonly op: "structural"; readonly schema: JsonSchema; readonly hasStatus?: boolean }
  | {
      readonly op: "strategic" | "strategic-create";
      readonly type: "Pod" | "Deployment";
      readonly value: unknown;
      readonly patch: unknown;
    }
  | { readonly op: "merge" | "merge-create" | "json-patch"; readonly value: unknown; readonly patch: unknown };

/** Is what upstream answered. */
export interface OracleAnswer {
  readonly value?: unknown;
  readonly unknownFields?: readonly string[];
  readonly errors?: readonly string[];
  readonly error?: string;
}

/** Is a question with its answer, as recorded. */
export type Recorded = OracleCase & { readonly answer: OracleAnswer };

import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaOptions } from "../model/json-schema.ts";
import { isUnchanged, type Correlation } from "./correlation.ts";
import type { Place, SchemaResult } from "./failures.ts";

/** What a whole validation is given. */
export interface StepOptions extends SchemaOptions {
  /** Reports that the value is a default, which upstream checks with a plainer copy of the schema. */
  readonly isForDefault?: boolean;
  /** Reports that the server checks formats of numbers, as servers do since 1.36. */
  readonly checksNumberFormats?: boolean;
}

/** Counts the work of patterns. */
interface PatternWork {
  /** The steps that are left: a match may visit each instruction of its pattern for each character. */
  steps: number;
}

/** What one step of the validation needs to know of its surroundings. */
export interface Step {
  readonly options: StepOptions;
  readonly place: Place;
  /** The pair by which members and items find their counterparts; absent without ratcheting. */
  readonly correlation?: Correlation | undefined;
  /** The work that the patterns of the whole validation may still take. */
  readonly patterns: PatternWork;
  /** Checks a value against a schema, without regard to what was before. */
  readonly visit: (schema: JsonSchema, value: JSONValue, step: Step) => SchemaResult;
}

/** Checks a value; where its counterpart is known and unchanged it passes, whatever the schema says. */
export function visitRatcheting(schema: JsonSchema, value: JSONValue, step: Step): SchemaResult {
  const result = step.visit(schema, value, step);
  const { correlation } = step;
  if (result.failures.length === 0 || correlation === undefined || !isUnchanged(correlation)) {
    return result;
  }
  return { failures: [], matchCount: result.matchCount };
}

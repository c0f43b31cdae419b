import { type FieldError, type JSONValue, fieldErrorToString, invalidField, printServerJson } from "@kubescaffold/k8s";

import { type JsonObject, isJsonList, isJsonObject, memberOf } from "../../json/json-value.ts";
import { type FieldPath, childPath, fieldName, keyPath } from "../../model/field-path.ts";
import type { JsonSchema } from "../../model/json-schema.ts";
import { type Correlation, correlateItem, correlateMember, isUnchanged } from "../../validation/correlation.ts";
import type { EvaluationTurns } from "../evaluator/evaluation-turns.ts";
import { type RuleNode, ruleTreeOf } from "./rule-tree.ts";
import { OUT_OF_BUDGET, runRules } from "./run-rules.ts";

/** What one object may cost with all its rules. */
const OBJECT_COST_BUDGET = 10_000_000;
/** What one evaluation of an expression may cost. */
const EXPRESSION_COST_LIMIT = 1_000_000;

/** Options for the evaluation of rules. */
export interface RuleValidationOptions {
  /** The prefix of every path; absent for a whole object. */
  readonly path?: string;
  /** The object before an update, which rules see as `oldSelf`; absent when it is created. */
  readonly previous?: JSONValue | undefined;
  /** Whether violations by unchanged values only warn, as in updates. Default: true. */
  readonly isRatcheting?: boolean;
  /** Whether the value is a resource. Default: true. */
  readonly isResourceRoot?: boolean;
  /** The cost limit of all rules. Default: 10,000,000. */
  readonly budget?: number;
  /** The cost limit of an expression. Default: 1,000,000. */
  readonly expressionLimit?: number;
}

/** The result of evaluating rules for an object. */
export interface RuleResult {
  /** Violations and evaluation errors. */
  readonly errors: readonly FieldError[];
  /** Violations by unchanged values, which do not fail an update (ratcheting). */
  readonly warnings: readonly string[];
  /** The remaining budget; negative if it was exceeded. */
  readonly remaining: number;
}

/**
 * Evaluates the CEL rules of a schema for an object, as an API server does on every write after validation.
 *
 * Rules about transitions run where the old object has a counterpart of the value. Each evaluation counts against the budget of the
 * object; when that is spent no further rules run.
 *
 * Guarantees: rules of a value come before those of its parts; errors have the server's messages. The value is not changed.
 *
 * @example
 * validateRules(schema, object, { previous: stored }).errors;
 */
export function validateRules(schema: JsonSchema, value: JSONValue, options: RuleValidationOptions = {}): RuleResult {
  const evaluation = evaluateRules(schema, value, options, undefined);
  for (;;) {
    const step = evaluation.next();
    if (step.done === true) return step.value;
  }
}

/** Evaluates the CEL rules of a schema for an object as {@link validateRules}. Guarantees: pauses between two rules, and within long ones, where `turns` asks for it. */
export async function validateRulesInTurns(
  schema: JsonSchema,
  value: JSONValue,
  options: RuleValidationOptions & { readonly turns: EvaluationTurns },
): Promise<RuleResult> {
  const { turns } = options;
  const evaluation = evaluateRules(schema, value, options, turns.nowMs);
  for (;;) {
    const step = evaluation.next();
    if (step.done === true) return step.value;
    const pause = turns.pause();
    if (pause !== undefined) await pause;
  }
}

function* evaluateRules(
  schema: JsonSchema,
  value: JSONValue,
  options: RuleValidationOptions,
  nowMs: (() => number) | undefined,
): Generator<undefined, RuleResult> {
  const { previous, isRatcheting = true, isResourceRoot = true, budget = OBJECT_COST_BUDGET } = options;
  const run: RuleRun = {
    errors: [],
    warnings: [],
    remaining: budget,
    expressionLimit: options.expressionLimit ?? EXPRESSION_COST_LIMIT,
    nowMs,
  };
  const ratchet: Ratchet =
    previous === undefined || !isRatcheting ? NO_RATCHET : { current: { value, previous, schema }, around: undefined };
  const parts: NodePart[] = [];
  collectParts(ruleTreeOf(schema, isResourceRoot), { path: options.path, value, previous, ratchet }, parts);
  for (const { node, part } of parts) {
    if (run.remaining < 0) break;
    yield* validateExpressions(node, part, run);
  }
  const { errors, warnings, remaining } = run;
  return { errors, warnings, remaining };
}

/** Collects what the rules say, and what may still be spent. */
interface RuleRun {
  readonly errors: FieldError[];
  readonly warnings: string[];
  remaining: number;
  readonly expressionLimit: number;
  readonly nowMs: (() => number) | undefined;
}

interface Part {
  readonly path: FieldPath;
  readonly value: JSONValue;
  readonly previous: JSONValue | undefined;
  readonly ratchet: Ratchet;
}

/** A value with rules, or whose rules cannot be compiled. */
interface NodePart {
  readonly node: RuleNode;
  readonly part: Part;
}

// Rules of a value come before those of its parts.
function collectParts(node: RuleNode | undefined, part: Part, parts: NodePart[]): void {
  if (node === undefined || part.value === null) {
    return;
  }
  if (node.rules === undefined || node.rules.length > 0) parts.push({ node, part });
  if (isJsonList(part.value)) {
    collectItems(node, { ...part, value: part.value }, parts);
  } else if (isJsonObject(part.value)) {
    collectMembers(node, { ...part, value: part.value }, parts);
  }
}

function* validateExpressions(
  node: RuleNode,
  { path, value, previous, ratchet }: Part,
  run: RuleRun,
): Generator<undefined, void> {
  const type = node.schema.type ?? "";
  if (node.rules === undefined) {
    const detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules";
    run.errors.push(invalidField(fieldName(path), type, detail));
    return;
  }
  if (run.remaining <= 0) {
    run.errors.push(invalidField(fieldName(path), type, OUT_OF_BUDGET));
    run.remaining = -1;
    return;
  }
  yield* runRules(
    { node, rules: node.rules, path, value, previous: previous ?? undefined },
    {
      run,
      report: (error, isTransition) => {
        if (!isTransition && isRatcheted(ratchet)) {
          run.warnings.push(fieldErrorToString(error));
        } else {
          run.errors.push(error);
        }
      },
    },
  );
}

function collectItems(node: RuleNode, part: Part & { readonly value: readonly JSONValue[] }, parts: NodePart[]): void {
  const { items } = node;
  if (items === undefined) {
    return;
  }
  const counterpartOf = itemFinder(node.schema, part.previous);
  part.value.forEach((value, index) => {
    const ratchet = ratchetItem(part.ratchet, index);
    collectParts(items, { path: keyPath(part.path, index), value, previous: counterpartOf(value), ratchet }, parts);
  });
}

function collectMembers(node: RuleNode, part: Part & { readonly value: JsonObject }, parts: NodePart[]): void {
  const { path, value, previous } = part;
  const before = isJsonObject(previous) ? previous : {};
  const visit = (child: RuleNode | undefined, name: string, at: string): void => {
    const member = memberOf(value, name);
    if (child !== undefined && member !== undefined) {
      const ratchet = ratchetMember(part.ratchet, name);
      collectParts(child, { path: at, value: member, previous: memberOf(before, name), ratchet }, parts);
    }
  };
  const names = Object.keys(value);
  names.forEach((name) => visit(node.additional, name, keyPath(path, name)));
  names.forEach((name) => visit(node.properties.get(name), name, childPath(path, name)));
}

/**
 * Tracks the unchanged parts of an object, whose rules only warn.
 *
 * A value without a counterpart goes by the nearest value around it that has one.
 */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly around: Correlation | undefined;
}

/** Ratchets nothing. */
const NO_RATCHET: Ratchet = { current: undefined, around: undefined };

/** Reports whether a broken rule of this value only warns. */
function isRatcheted({ current, around }: Ratchet): boolean {
  const deciding = current ?? around;
  return deciding !== undefined && isUnchanged(deciding);
}

/** Goes on to a member; kind and apiVersion of the whole object are never ratcheted, for both versions are converted. */
function ratchetMember(ratchet: Ratchet, name: string): Ratchet {
  const { current, around } = ratchet;
  if (current === undefined) {
    return ratchet;
  }
  const isTypeMeta = around === undefined && (name === "apiVersion" || name === "kind");
  return isTypeMeta ? NO_RATCHET : { current: correlateMember(current, name), around: current };
}

/** Goes on to an item. */
function ratchetItem(ratchet: Ratchet, index: number): Ratchet {
  const { current } = ratchet;
  return current === undefined ? ratchet : { current: correlateItem(current, index), around: current };
}

/** Returns what finds the counterparts of items in a list of type map by their keys; of other lists no item has one. */
export function itemFinder(
  schema: JsonSchema,
  list: JSONValue | undefined,
): (item: JSONValue) => JSONValue | undefined {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const isMap = schema.type === "array" && schema["x-kubernetes-list-type"] === "map" && keys.length > 0;
  if (!isMap || !isJsonList(list)) {
    return () => undefined;
  }
  const byKey = new Map<string, JSONValue>();
  for (const item of list) {
    const key = keyOf(keys, item);
    if (key !== undefined && !byKey.has(key)) {
      byKey.set(key, item);
    }
  }
  return (item) => {
    const key = keyOf(keys, item);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function keyOf(keys: readonly string[], item: JSONValue): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  const values = keys.map((key) => memberOf(item, key));
  return values.every((value) => value !== undefined && value !== null && typeof value !== "object")
    ? printServerJson(values)
    : undefined;
}

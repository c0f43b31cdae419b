import {
  type FieldError,
  type JSONValue,
  OMITTED_VALUE,
  duplicateField,
  forbiddenField,
  goQuote,
  invalidField,
  requiredField,
} from "@kubescaffold/k8s";

import { type FieldPath, childPath, fieldName } from "../../model/field-path.ts";
import type { JsonSchema, ValidationRule } from "../../model/json-schema.ts";
import type { CompiledExpression, ExpressionBindings } from "../compiler/compile-expression.ts";
import type { EvaluationResult } from "../compiler/compile-program.ts";
import { CostLimitExceededError, createCostTracker, LongEvaluation } from "../cost/cost-tracker.ts";
import { EvaluationStopped } from "../evaluator/evaluation-history.ts";
import { optionalValue } from "../values/cel-optional.ts";
import { CANCELLED } from "../values/cel-value.ts";
import { toCelValue } from "../values/schema-value.ts";
import type { RuleNode, RunnableRule } from "./rule-tree.ts";

/** Reports that nothing more runs. */
export const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";

const LONGEST_MESSAGE_BYTES = 5 * 1024;
const utf8 = new TextEncoder();

/** A value whose rules run. */
interface RuleSubject {
  readonly node: RuleNode;
  readonly rules: readonly RunnableRule[];
  readonly path: FieldPath;
  readonly value: JSONValue;
  /** What stood in its place before; absent where nothing did, null included. */
  readonly previous: JSONValue | undefined;
}

/** What the rules spend, and where they report. */
interface RuleSink {
  readonly run: {
    readonly errors: FieldError[];
    remaining: number;
    readonly expressionLimit: number;
    readonly nowMs: (() => number) | undefined;
  };
  /** Takes a broken rule; one about transitions is never ratcheted. */
  readonly report: (error: FieldError, isTransition: boolean) => void;
}

/** Runs the rules of one value in their order, until the budget is spent; whoever runs them may let others go on between two of them, and within long ones. */
export function* runRules(subject: RuleSubject, sink: RuleSink): Generator<undefined, void> {
  const usesOldSelf = subject.rules.some(({ compiled }) => compiled.kind === "compiled" && compiled.rule.usesOldSelf);
  const bindings = bindingsOf(subject, usesOldSelf);
  for (const rule of subject.rules) {
    if (sink.run.remaining < 0) {
      return;
    }
    const running = { subject, rule, bindings, sink };
    if (!tryRule(running)) yield* runLongRule(running);
    yield;
  }
}

interface Running {
  readonly subject: RuleSubject;
  readonly rule: RunnableRule;
  readonly bindings: RuleBindings;
  readonly sink: RuleSink;
  /** Of a rule that takes several turns. */
  readonly long?: LongEvaluation;
}

// Nothing was reported or spent if it took too long for one turn.
function tryRule(running: Running): boolean {
  try {
    runRule(running);
    return true;
  } catch (error) {
    if (error instanceof EvaluationStopped) return false;
    throw error;
  }
}

function* runLongRule(running: Running): Generator<undefined, void> {
  const { nowMs } = running.sink.run;
  if (nowMs === undefined) return;
  yield;
  const long = new LongEvaluation(nowMs);
  while (!tryRule({ ...running, long })) {
    yield;
    long.history.resume();
  }
}

function runRule(running: Running): void {
  const { subject, rule, bindings } = running;
  const { compiled, source } = rule;
  if (compiled.kind === "empty") {
    return;
  }
  if (compiled.kind === "rejected") {
    fail(running, `rule compile error: ${compiled.detail}`);
    return;
  }
  const isOptional = source.optionalOldSelf === true;
  if (compiled.rule.usesOldSelf && subject.previous === undefined && !isOptional) {
    return;
  }
  const outcome = evaluate(compiled.rule, isOptional ? bindings.optional : bindings.plain, running);
  const remaining = running.sink.run.remaining - outcome.cost;
  if (remaining < 0) {
    stop(running, OUT_OF_BUDGET);
  } else if (outcome.kind === "error") {
    running.sink.run.remaining = remaining;
    failWith(running, outcome.message);
  } else if (outcome.value === true) {
    running.sink.run.remaining = remaining;
  } else {
    breakRule(running, compiled.rule.usesOldSelf, messageOf(running, remaining));
  }
}

type Outcome = EvaluationResult & { readonly cost: number };

function evaluate(expression: CompiledExpression, bindings: ExpressionBindings, { sink, long }: Running): Outcome {
  const { expressionLimit, nowMs } = sink.run;
  const time = nowMs === undefined ? undefined : { nowMs, stops: true };
  const tracker = long?.trackerOf(expression, expressionLimit) ?? createCostTracker(expressionLimit, time);
  try {
    return { ...expression.evaluate(bindings, tracker, long?.history), cost: tracker.spent() };
  } catch (error) {
    if (error instanceof CostLimitExceededError) {
      return { kind: "error", message: CANCELLED, cost: tracker.spent() };
    }
    throw error;
  }
}

function failWith(running: Running, message: string): void {
  const rule = ruleText(running.rule.source);
  if (message.startsWith("no such overload")) {
    const detail = "call arguments did not match a supported operator, function or macro signature for rule";
    fail(running, `'${message}': ${detail}: ${rule}`);
  } else if (message === CANCELLED) {
    const detail = "no further validation rules will be run due to call cost exceeds limit for rule";
    stop(running, `'${message}': ${detail}: ${rule}`);
  } else {
    fail(running, `${message} evaluating rule: ${rule}`);
  }
}

function fail({ subject, sink }: Running, detail: string): void {
  sink.run.errors.push(invalidField(fieldName(subject.path), subject.node.schema.type ?? "", detail));
}

function stop(running: Running, detail: string): void {
  fail(running, detail);
  running.sink.run.remaining = -1;
}

function breakRule(running: Running, isTransition: boolean, message: Message): void {
  const { subject, rule, sink } = running;
  const { schema } = subject.node;
  const path = fieldName(rule.fieldPath === undefined ? subject.path : childPath(subject.path, rule.fieldPath));
  sink.run.remaining = message.remaining;
  if (message.kind === "fatal") {
    sink.report(invalidField(path, schema.type ?? "", message.text), isTransition);
    return;
  }
  const isContainer = schema.type === "object" || schema.type === "array";
  const value = isContainer ? OMITTED_VALUE : subject.value;
  sink.report(errorFor(rule.source.reason, { path, value, detail: message.text }), isTransition);
}

interface Message {
  readonly kind: "message" | "fatal";
  readonly text: string;
  /** The budget that is left. */
  readonly remaining: number;
}

// A messageExpression that gives no message leaves it to the rule; one beyond the budget ends everything.
function messageOf(running: Running, remaining: number): Message {
  const { compiled, source } = running.rule;
  const written = { kind: "message" as const, text: writtenMessage(source), remaining };
  if (compiled.kind !== "compiled" || compiled.message?.kind !== "compiled") {
    return written;
  }
  const outcome = evaluate(compiled.message.expression, running.bindings.plain, running);
  if (outcome.cost > remaining) {
    const text =
      "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
    return { kind: "fatal", text, remaining: -1 };
  }
  if (outcome.kind === "error" && outcome.message === CANCELLED) {
    const detail = "no further validation rules will be run due to call cost exceeds limit for messageExpression";
    return { kind: "fatal", text: `${detail}: ${goQuote(source.messageExpression ?? "")}`, remaining: -1 };
  }
  const left = remaining - outcome.cost;
  const text = outcome.kind === "value" && typeof outcome.value === "string" ? outcome.value.trim() : "";
  const isUsable = text !== "" && !text.includes("\n") && utf8.encode(text).length <= LONGEST_MESSAGE_BYTES;
  return { kind: "message", text: isUsable ? text : written.text, remaining: left };
}

function writtenMessage(source: ValidationRule): string {
  return (source.message ?? "") === "" ? `failed rule: ${ruleText(source)}` : (source.message ?? "").trim();
}

function ruleText({ rule, message = "" }: ValidationRule): string {
  return message === "" ? rule.trim() : message.trim();
}

function errorFor(
  reason: string | undefined,
  { path, value, detail }: { readonly path: string; readonly value: unknown; readonly detail: string },
): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbiddenField(path, detail);
    case "FieldValueRequired":
      return requiredField(path, detail);
    case "FieldValueDuplicate":
      return duplicateField(path, value);
    default:
      return invalidField(path, value, detail);
  }
}

/** The variables of the rules of one value: for most rules, and for those whose `oldSelf` may be nothing. */
interface RuleBindings {
  readonly plain: ExpressionBindings;
  readonly optional: ExpressionBindings;
}

/** A value as rules see it. */
interface BoundValue {
  readonly node: { readonly schema: JsonSchema; readonly isResourceRoot: boolean };
  readonly value: JSONValue;
  readonly previous: JSONValue | undefined;
}

/** Returns the variables of the rules of a value; `oldSelf` is there only if one of them asks for it. */
function bindingsOf({ node, value, previous }: BoundValue, usesOldSelf: boolean): RuleBindings {
  const { schema, isResourceRoot } = node;
  const self = toCelValue(value, schema, { isResourceRoot });
  if (!usesOldSelf) {
    return { plain: { self }, optional: { self } };
  }
  const oldSelf = previous === undefined ? undefined : toCelValue(previous, schema, { isResourceRoot });
  return {
    plain: oldSelf === undefined ? { self } : { self, oldSelf },
    optional: { self, oldSelf: optionalValue(oldSelf) },
  };
}

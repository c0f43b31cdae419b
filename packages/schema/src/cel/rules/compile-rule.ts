import type { ValidationRule } from "../../model/json-schema.ts";
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionEnvironment,
} from "../compiler/compile-expression.ts";
import type { ExpressionIssue } from "../expressions/checked-expression.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";

/** A rule that was understood, rejected, or empty and so without effect. */
export type CompiledRule =
  | { readonly kind: "empty" }
  | { readonly kind: "rejected"; readonly detail: string; readonly isResult: boolean }
  | {
      readonly kind: "compiled";
      readonly rule: CompiledExpression;
      /** What gives the message; absent without a messageExpression. */
      readonly message: CompiledMessage | undefined;
    };

/** The messageExpression of a rule. */
type CompiledMessage =
  | { readonly kind: "rejected"; readonly detail: string }
  | { readonly kind: "compiled"; readonly expression: CompiledExpression };

/** Compiles a rule and its messageExpression for values that are declared so; for a new rule, with the functions of a minor version of Kubernetes. */
export function compileRule(rule: ValidationRule, self: DeclaredType, kubernetesVersion?: string): CompiledRule {
  if (rule.rule.trim() === "") {
    return { kind: "empty" };
  }
  const environment = { self, isOldSelfOptional: rule.optionalOldSelf === true, kubernetesVersion };
  const compiled = compileExpression(rule.rule, environment);
  if (compiled.kind === "rejected") {
    const detail = `compilation failed: ${issueText(rule.rule, compiled.issues)}`;
    return { kind: "rejected", detail, isResult: false };
  }
  if (compiled.outputType.kind !== "bool") {
    return { kind: "rejected", detail: "cel expression must evaluate to a bool", isResult: true };
  }
  const { messageExpression = "" } = rule;
  const message = messageExpression === "" ? undefined : compileMessage(messageExpression, environment);
  return { kind: "compiled", rule: compiled, message };
}

function compileMessage(text: string, environment: ExpressionEnvironment): CompiledMessage {
  const compiled = compileExpression(text, environment);
  if (compiled.kind === "rejected") {
    const detail = `messageExpression compilation failed: ${issueText(text, compiled.issues)}`;
    return { kind: "rejected", detail };
  }
  return compiled.outputType.kind === "string"
    ? { kind: "compiled", expression: compiled }
    : { kind: "rejected", detail: "messageExpression must evaluate to a string" };
}

const MOST_ISSUES = 100;
const LONGEST_SNIPPET_BYTES = 16_384;
const utf8 = new TextEncoder();

/** Prints why an expression was rejected as servers do: each reason with its line and a mark below the place. */
export function issueText(expression: string, issues: readonly ExpressionIssue[]): string {
  const lines = expression.split("\n");
  const shown = issues.slice(0, MOST_ISSUES).map((issue) => printIssue(issue, lines[issue.line - 1]));
  const rest = issues.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${String(rest)} more errors were truncated`] : [])].join("\n");
}

function printIssue({ line, column, message }: ExpressionIssue, source: string | undefined): string {
  const head = `ERROR: <input>:${String(line)}:${String(column)}: ${message}`;
  if (source === undefined || utf8.encode(source).length > LONGEST_SNIPPET_BYTES) {
    return head;
  }
  const characters = Array.from(source.replaceAll("\t", " "));
  const before = characters.slice(0, column - 1).map((character) => (isWide(character) ? "．" : "."));
  const mark = isWide(characters[column - 1]) ? "＾" : "^";
  return `${head}\n | ${characters.join("")}\n | ${before.join("")}${mark}`;
}

// What takes more than one byte counts as wide.
function isWide(character: string | undefined): boolean {
  return character !== undefined && (character.codePointAt(0) ?? 0) > 0x7f;
}

import type { ValidationRule } from "../../json-schema.ts";
import { compileExpression, type CompiledExpression } from "../compile-expression.ts";
import type { DeclaredType } from "../declared-type.ts";
import { issueText } from "./issue-text.ts";

/** Is a rule that was understood, rejected, or empty and so without effect. */
export type CompiledRule =
  | { readonly kind: "empty" }
  | { readonly kind: "rejected"; readonly detail: string; readonly isResult: boolean }
  | {
      readonly kind: "compiled";
      readonly rule: CompiledExpression;
      /** What gives the message; absent without a messageExpression. */
      readonly message: CompiledMessage | undefined;
    };

/** Is the messageExpression of a rule. */
type CompiledMessage =
  | { readonly kind: "rejected"; readonly detail: string }
  | { readonly kind: "compiled"; readonly expression: CompiledExpression };

/** Compiles a rule and its messageExpression for values that are declared so. */
export function compileRule(rule: ValidationRule, self: DeclaredType): CompiledRule {
  if (rule.rule.trim() === "") {
    return { kind: "empty" };
  }
  const environment = { self, isOldSelfOptional: rule.optionalOldSelf === true };
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

function compileMessage(
  text: string,
  environment: { readonly self: DeclaredType; readonly isOldSelfOptional: boolean },
): CompiledMessage {
  const compiled = compileExpression(text, environment);
  if (compiled.kind === "rejected") {
    const detail = `messageExpression compilation failed: ${issueText(text, compiled.issues)}`;
    return { kind: "rejected", detail };
  }
  return compiled.outputType.kind === "string"
    ? { kind: "compiled", expression: compiled }
    : { kind: "rejected", detail: "messageExpression must evaluate to a string" };
}

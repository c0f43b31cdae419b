import { fieldErrorBody } from "@kubescaffold/k8s";
import type { RuleFinding } from "@kubescaffold/schema/cel";

import type { CheckCodeName } from "./check-codes.ts";

/** What is wrong with a rule, in the words of a diagnostic. */
export interface RuleProblemText {
  readonly code: CheckCodeName;
  readonly message: string;
  readonly hint: string;
  /** Where in the text of the expression, both from 1; undefined for the expression as a whole. */
  readonly at?: { readonly line: number; readonly column: number };
}

/** Says what a finding about rules means for the sources; one that does not compile may have several reasons. */
export function describeRuleProblem(finding: RuleFinding, kind: string): readonly RuleProblemText[] {
  const { problem, error } = finding;
  if (problem === "cost" || problem === "message-cost" || problem === "total-cost")
    return [describeCost(finding, kind)];
  const issues = [...error.detail.matchAll(/ERROR: <input>:(\d+):(\d+): ([^\n]*)/gu)];
  if (issues.length === 0)
    return [{ code: "CRD_RULE_INVALID", message: describeForm(finding), hint: hintFor(finding) }];
  return issues.map(([, line, column, reason = ""]) => ({
    code: "CRD_RULE_INVALID",
    message: `the ${problem === "message-compile" ? "messageExpression" : "rule"} does not compile: ${reason}`,
    hint: hintForReason(reason),
    at: { line: Number(line), column: Number(column) },
  }));
}

const BOUNDS: Readonly<Record<string, string>> = {
  maxItems: "+kubebuilder:validation:MaxItems",
  maxProperties: "+kubebuilder:validation:MaxProperties",
  maxLength: "+kubebuilder:validation:MaxLength",
};

function describeCost({ problem, error, unbounded }: RuleFinding, kind: string): RuleProblemText {
  const factor = / by factor of ([^(]*?) ?\(/u.exec(error.detail)?.[1];
  const times = factor?.replace(/x$/u, " times").replace("more than 100 times", "more than 100 times");
  const what =
    problem === "message-cost"
      ? "the messageExpression"
      : problem === "cost"
        ? "the rule"
        : `the rules of ${kind} together`;
  const message =
    times === undefined
      ? `the rule is one of those that together may cost more than servers allow for ${kind}`
      : `${what} may cost ${times} what servers allow`;
  const bounds = unbounded.map(
    ({ path, keyword }) => `${path === "" ? "the object" : path} with ${BOUNDS[keyword] ?? keyword}`,
  );
  const hint =
    bounds.length === 0
      ? "lower the bounds of what the rule reads, or write a simpler rule"
      : `bound ${bounds.join(", ")}, or write a simpler rule`;
  return { code: "CRD_RULE_COST", message, hint };
}

function describeForm({ problem, error }: RuleFinding): string {
  if (problem === "transition") return `the rule uses oldSelf where items have no former value: ${error.detail}`;
  if (problem === "optional-old-self") return "optionalOldSelf is set, but the rule does not use oldSelf";
  if (problem === "result-type") return `the rule is not true or false: ${error.detail}`;
  const argument = /\.(\w+)$/u.exec(error.field)?.[1] ?? "rule";
  return `servers refuse the ${argument} of a rule: ${error.detail === "" ? fieldErrorBody(error) : error.detail}`;
}

const HINTS: Readonly<Partial<Record<RuleFinding["problem"], string>>> = {
  transition: "put the rule above the list, or make the list +listType=map, whose items are told apart by keys",
  "optional-old-self": "remove optionalOldSelf, or compare with oldSelf, which then is an optional value",
  "result-type": "write a condition, such as self.size > 0",
  form: "correct the argument, or leave it out",
  "hidden-value": "give the fields that the rule is about a type; rules cannot read what has none",
};

function hintFor({ problem }: RuleFinding): string {
  return HINTS[problem] ?? "correct the expression";
}

function hintForReason(reason: string): string {
  if (reason.startsWith("undefined field"))
    return "name a field that the type declares; names that are no identifiers are escaped, such as __dash__ for -";
  if (reason.startsWith("undeclared reference")) return "self is the value, oldSelf the one before an update";
  if (reason.startsWith("found no matching overload"))
    return "compare and combine values of the same type; int(), double() and string() convert";
  return "correct the expression";
}

import type { SchemaNode, ValidationRule } from "../crd/schema-node.ts";
import { findingOf, versionsOf, type CrdView, type VersionView } from "./crd-view.ts";
import { findPlace } from "./finding-places.ts";
import type { Finding } from "./finding.ts";
import { eachRule, type PlacedRule } from "./placed-rules.ts";

/** Finds settings of CEL rules that servers refuse, whatever the rule says: empty or broken texts, and field paths that lead nowhere. */
export function checkRuleSettings(view: CrdView): readonly Finding[] {
  return versionsOf(view).flatMap((version) =>
    eachRule(version.node).flatMap((placed) => {
      const problem = problemOf(placed.rule, placed.node);
      return problem === undefined ? [] : [findingFor(problem, placed, { view, version })];
    }),
  );
}

interface SettingProblem {
  readonly argument: string;
  readonly message: string;
  readonly hint: string;
}

function problemOf(rule: ValidationRule, node: SchemaNode): SettingProblem | undefined {
  const { message, messageExpression, fieldPath } = rule;
  if (rule.rule.trim() === "")
    return { argument: "rule", message: "the rule is empty", hint: "write a CEL expression" };
  if (message !== undefined && message !== "" && message.trim() === "")
    return {
      argument: "message",
      message: "the message of a rule is blank",
      hint: "write a sentence, or leave message= out",
    };
  if (/[\n\r]/u.test((message ?? "").trim()))
    return { argument: "message", message: "the message of a rule has line breaks", hint: "write it in one line" };
  if (/[\n\r]/u.test(rule.rule.trim()) && (message ?? "").trim() === "")
    return { argument: "rule", message: "a rule with line breaks has no message", hint: 'add message="…"' };
  if (messageExpression !== undefined && messageExpression !== "" && messageExpression.trim() === "")
    return {
      argument: "messageExpression",
      message: "a messageExpression is blank",
      hint: "write a CEL expression, or leave it out",
    };
  if (fieldPath === undefined || fieldPath === "" || leadsSomewhere(fieldPath, node)) return undefined;
  return {
    argument: "fieldPath",
    message: `the fieldPath ${JSON.stringify(fieldPath)} leads to no field below the rule`,
    hint: "write a path from the value that the rule is about, such as .spec.size or ['a.b']",
  };
}

function leadsSomewhere(path: string, node: SchemaNode): boolean {
  let current: SchemaNode = node;
  let rest = path;
  while (rest !== "") {
    const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/u.exec(rest);
    if (step === null) return false;
    const name = step[1] ?? (step[2] ?? "").replaceAll(/\\(.)/gu, "$1");
    const { properties, additionalProperties } = current;
    const next = properties === undefined ? additionalProperties : properties[name];
    if (typeof next !== "object") return false;
    current = next;
    rest = rest.slice(step[0].length);
  }
  return true;
}

function findingFor(
  { argument, message, hint }: SettingProblem,
  { trail, rule }: PlacedRule,
  { view, version }: { readonly view: CrdView; readonly version: VersionView },
): Finding {
  const place = findPlace(view.index(), {
    trail,
    fallback: version.location,
    markers: ["XValidation"],
    fits: ({ use }) => (use.value as { readonly rule?: string }).rule === rule.rule,
    argument,
  });
  return findingOf("CRD_RULE_INVALID", { message: `servers refuse a rule: ${message}`, hint }, place);
}

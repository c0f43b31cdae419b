import { fieldErrorBody } from "@kubescaffold/k8s";
import type { RuleFinding } from "@kubescaffold/schema/cel";

import type { ValidationRule } from "../crd/model/schema-node.ts";
import type { MarkerComment, SourceLocation } from "../loader/type-model.ts";
import type { CheckCodeName } from "./check-codes.ts";
import { type CrdView, findingOf, versionsOf, type VersionView } from "./crd-view.ts";
import { type FindingPlace, findPlace } from "./finding-places.ts";
import type { Finding } from "./finding.ts";
import { hasRules } from "./has-rules.ts";
import { findArgument } from "./marker-argument.ts";
import { followPath, lastOf, type SchemaTrail } from "./schema-trail.ts";
import { toWholeServerSchema } from "./server-schema.ts";

/** Finds what servers reject in the CEL rules of a CRD: what does not parse, does not fit the types, or may cost too much. */
export async function checkRulesOf(view: CrdView): Promise<readonly Finding[]> {
  const withRules = versionsOf(view).filter(({ node }) => hasRules(node));
  if (withRules.length === 0) return [];
  const { checkRules } = await import("@kubescaffold/schema/cel");
  return withRules.flatMap((version) => {
    const found = checkRules(toWholeServerSchema(version.node), {
      path: ROOT,
      kubernetesVersion: view.kubernetesVersion,
    });
    return withoutSums(found).flatMap((each) => findingsFor(each, version, view));
  });
}

const ROOT = "schema";

// What one rule costs too much is too much for all of them together as well.
function withoutSums(found: readonly RuleFinding[]): readonly RuleFinding[] {
  const hasDearOne = found.some(({ problem }) => problem === "cost" || problem === "message-cost");
  return hasDearOne ? found.filter(({ problem }) => problem !== "total-cost") : found;
}

interface RulePlace {
  readonly trail: SchemaTrail;
  readonly rule: ValidationRule | undefined;
  /** The argument of the marker that is meant. */
  readonly argument: string;
}

function findingsFor(found: RuleFinding, version: VersionView, view: CrdView): readonly Finding[] {
  const place = ruleAt(found.error.field.slice(ROOT.length), version);
  const where = placeOfRule(place, version, view);
  return describeRuleProblem(found, view).map((problem) => findingAt(problem, place, where));
}

function findingAt(
  { code, message, hint, at }: RuleProblemText,
  { rule, argument }: RulePlace,
  where: FindingPlace,
): Finding {
  const text = argument === "messageExpression" ? rule?.messageExpression : rule?.rule;
  const isWritten = where.marker?.use.name.endsWith(":XValidation") === true;
  const inside =
    at === undefined || text === undefined || where.marker === undefined || !isWritten
      ? undefined
      : placeInArgument(where.marker.comment, { argument, value: text, ...at });
  return findingOf(code, { message, hint }, { owners: where.owners, location: inside ?? where.location });
}

function ruleAt(path: string, { node }: VersionView): RulePlace {
  const found = /^(.*)\.x-kubernetes-validations\[(\d+)\](?:\.(\w+))?$/su.exec(path);
  const trail = followPath(node, found === null ? path : `${found[1] ?? ""}.x-kubernetes-validations`);
  const rule = found === null ? undefined : lastOf(trail)["x-kubernetes-validations"]?.[Number(found[2])];
  return { trail, rule, argument: found?.[3] ?? "rule" };
}

// Rules also come from markers such as ExactlyOneOf and from unions, which have no text of their own.
function placeOfRule({ trail, rule, argument }: RulePlace, version: VersionView, view: CrdView): FindingPlace {
  const search = { trail, fallback: version.location };
  if (rule === undefined) return findPlace(view.index(), search);
  const written = findPlace(view.index(), {
    ...search,
    markers: ["XValidation"],
    fits: ({ use }) => (use.value as { readonly rule?: string }).rule === rule.rule,
    argument,
  });
  const isMeant = (written.marker?.use.value as { readonly rule?: string } | undefined)?.rule === rule.rule;
  return isMeant
    ? written
    : findPlace(view.index(), { ...search, markers: ["AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf"] });
}

/** What is wrong with a rule, in the words of a diagnostic. */
interface RuleProblemText {
  readonly code: CheckCodeName;
  readonly message: string;
  readonly hint: string;
  /** Where in the text of the expression, both from 1; undefined for the expression as a whole. */
  readonly at?: { readonly line: number; readonly column: number };
}

/** Says what a finding about rules means for the sources; one that does not compile may have several reasons. */
function describeRuleProblem(finding: RuleFinding, { crd, kubernetesVersion }: CrdView): readonly RuleProblemText[] {
  const { problem, error } = finding;
  if (problem === "cost" || problem === "message-cost" || problem === "total-cost")
    return [describeCost(finding, crd.draft.kind)];
  const issues = [...error.detail.matchAll(/ERROR: <input>:(\d+):(\d+): ([^\n]*)/gu)];
  if (issues.length === 0)
    return [{ code: "CRD_RULE_INVALID", message: describeForm(finding), hint: hintFor(finding) }];
  return issues.map(([, line, column, reason = ""]) => ({
    code: "CRD_RULE_INVALID",
    message: `the ${problem === "message-compile" ? "messageExpression" : "rule"} does not compile: ${reason}`,
    hint: hintForReason(reason, kubernetesVersion),
    at: { line: Number(line), column: Number(column) },
  }));
}

const BOUNDS: Readonly<Record<string, string>> = {
  maxItems: "+kubebuilder:validation:MaxItems",
  maxProperties: "+kubebuilder:validation:MaxProperties",
  maxLength: "+kubebuilder:validation:MaxLength",
};

function describeCost({ problem, error, unbounded }: RuleFinding, kind: string): RuleProblemText {
  const factor = factorIn(error.detail);
  const times = factor?.replace(/x$/u, " times").replace("more than 100 times", "more than 100 times");
  const what =
    problem === "message-cost"
      ? "the messageExpression"
      : problem === "cost"
        ? "the rule"
        : `the rules of ${kind} together`;
  const message =
    times === undefined
      ? `the rules of ${kind}, including this one, may exceed the cost budget of API servers`
      : `${what} may exceed the cost budget of API servers: ${times} of it`;
  const bounds = unbounded.map(
    ({ path, keyword }) => `${path === "" ? "the object" : path} with ${BOUNDS[keyword] ?? keyword}`,
  );
  const hint =
    bounds.length === 0
      ? "lower the bounds of the fields in the rule, or simplify the rule"
      : `add bounds to ${bounds.join(", ")}, or simplify the rule`;
  return { code: "CRD_RULE_COST", message, hint };
}

function describeForm({ problem, error }: RuleFinding): string {
  if (problem === "transition") return `the rule uses oldSelf, but items have no old value: ${error.detail}`;
  if (problem === "optional-old-self") return "optionalOldSelf is set, but the rule does not use oldSelf";
  if (problem === "result-type") return `the rule does not evaluate to a boolean: ${error.detail}`;
  const argument = /\.(\w+)$/u.exec(error.field)?.[1] ?? "rule";
  return `servers reject the ${argument} of a rule: ${error.detail === "" ? fieldErrorBody(error) : error.detail}`;
}

const HINTS: Readonly<Partial<Record<RuleFinding["problem"], string>>> = {
  transition: "move the rule to the list, or make the list +listType=map, whose items have keys",
  "optional-old-self": "remove optionalOldSelf, or use oldSelf as an optional value",
  "result-type": "write a condition, such as self.size > 0",
  form: "fix or remove the argument",
  "hidden-value": "add a type to the fields in the rule; rules cannot access fields without a type",
};

function hintFor({ problem }: RuleFinding): string {
  return HINTS[problem] ?? "fix the expression";
}

function hintForReason(reason: string, kubernetesVersion: string): string {
  const [, missing = ""] = /^undeclared reference to '(\w+)'/u.exec(reason) ?? [];
  if (kubernetesVersion === "1.34" && LIST_FUNCTIONS.has(missing))
    return `rules can call ${missing} since Kubernetes 1.35, and this project is for 1.34: omit it, or select a newer version with \`edit --kubernetes\``;
  if (reason.startsWith("undefined field"))
    return "name a field that the type declares; names that are not identifiers are escaped, such as __dash__ for -";
  if (reason.startsWith("undeclared reference"))
    return "use self for the value, and oldSelf for the value before an update";
  if (reason.startsWith("found no matching overload"))
    return "use operands of the same type; convert with int(), double(), or string()";
  return "fix the expression";
}

// cel-go's list library; `range` is part of lists.range.
const LIST_FUNCTIONS = new Set(["distinct", "flatten", "lists", "range", "reverse", "slice", "sort", "sortBy"]);

/** A place in the value of a marker's argument; line and column count characters from 1. */
interface TextPlace {
  readonly argument: string;
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

/** Finds where a character of an argument's value is written, quotes and escapes counted; undefined when that cannot be determined. */
export function placeInArgument(
  comment: MarkerComment,
  { argument, value, line, column }: TextPlace,
): SourceLocation | undefined {
  const span = findArgument(comment.text, argument);
  if (span === undefined) return undefined;
  const written = comment.text.slice(span.offset, span.offset + span.length);
  const index = indexOf(value, line, column);
  const offsets = writtenOffsets(written);
  const start = offsets[index];
  if (start === undefined) return undefined;
  const word = /^(?:[\p{L}\p{N}_]+|[=!<>&|]+)/u.exec(value.slice(index))?.[0].length ?? 1;
  const end = offsets[index + word] ?? start + 1;
  return {
    ...comment.location,
    column: comment.location.column + span.offset + start,
    length: Math.max(1, end - start),
  };
}

// Columns count code points, offsets count UTF-16 units.
function indexOf(value: string, line: number, column: number): number {
  const lines = value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const inLine = Array.from(lines[line - 1] ?? "")
    .slice(0, column - 1)
    .join("").length;
  return before + inLine;
}

const ESCAPE = /^\\(?:[abfnrtv\\"]|[0-7]{3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/u;

// Returns where each unit of a value is written, and where the value ends.
function writtenOffsets(written: string): readonly number[] {
  const isQuoted = written.startsWith('"');
  const start = isQuoted || written.startsWith("`") ? 1 : 0;
  const end = start === 1 ? written.length - 1 : written.length;
  const offsets: number[] = [];
  for (let index = start; index < end;) {
    const escape = isQuoted ? ESCAPE.exec(written.slice(index))?.[0] : undefined;
    offsets.push(index);
    index += escape?.length ?? 1;
  }
  return [...offsets, end];
}

function factorIn(detail: string): string | undefined {
  const [, rest] = detail.split(" by factor of ", 2);
  return rest?.includes("(") === true ? rest.split("(", 1)[0]?.trimEnd() : undefined;
}

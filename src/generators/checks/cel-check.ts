import type { RuleFinding } from "@kubescaffold/schema/cel";

import type { ValidationRule } from "../crd/schema-node.ts";
import { findingOf, versionsOf, type CrdView, type VersionView } from "./crd-view.ts";
import { findPlace, type FindingPlace } from "./finding-places.ts";
import type { Finding } from "./finding.ts";
import { hasRules } from "./has-rules.ts";
import { describeRuleProblem, type RuleProblemText } from "./rule-problems.ts";
import { placeInArgument } from "./rule-text-place.ts";
import { followPath, lastOf, type SchemaTrail } from "./schema-trail.ts";
import { toWholeServerSchema } from "./server-schema.ts";

/** Finds what servers refuse in the CEL rules of a CRD: what does not parse, does not fit the types, or may cost too much. */
export async function checkRulesOf(view: CrdView): Promise<readonly Finding[]> {
  const withRules = versionsOf(view).filter(({ node }) => hasRules(node));
  if (withRules.length === 0) return [];
  const { checkRules } = await import("@kubescaffold/schema/cel");
  return withRules.flatMap((version) => {
    const found = checkRules(toWholeServerSchema(version.node), { path: ROOT });
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
  return describeRuleProblem(found, view.crd.draft.kind).map((problem) => findingAt(problem, place, where));
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

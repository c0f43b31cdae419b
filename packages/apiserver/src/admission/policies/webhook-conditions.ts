import type { MatchCondition } from "@kubescaffold/k8s/admissionregistration/v1";
import { PolicyCompiler, type PolicyExpression } from "@kubescaffold/schema/cel";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import type { RuleMatch } from "../rule-matching.ts";
import { Decisions } from "./authority.ts";
import { expressionValues } from "./expression-input.ts";
import { type ConditionOutcome, conditionTexts, evaluateConditions } from "./match-conditions.ts";

interface WithConditions {
  readonly matchConditions?: readonly MatchCondition[];
}

/** Evaluates the match conditions of a webhook for a write that its rules concern. */
export async function webhookConditions(
  context: ServerContext,
  webhook: WithConditions,
  { match, attributes }: { readonly match: RuleMatch; readonly attributes: AdmissionAttributes },
): Promise<ConditionOutcome> {
  const decisions = new Decisions(context);
  const { resource } = attributes;
  const values = expressionValues({ attributes, resource, kind: match.kind, decisions });
  const conditions = compiled(webhook);
  return await decisions.evaluate(() => evaluateConditions(conditions, values));
}

const cache = new WeakMap<WithConditions, readonly PolicyExpression[]>();

// Stored webhooks are frozen, so a change makes another object.
function compiled(webhook: WithConditions): readonly PolicyExpression[] {
  const known = cache.get(webhook);
  if (known !== undefined) return known;
  const compiler = new PolicyCompiler({ hasVariables: false });
  const expressions = conditionTexts(webhook.matchConditions).map((text) =>
    compiler.compile(text, { hasParams: false, hasAuthorizer: true }, ["bool"]),
  );
  cache.set(webhook, expressions);
  return expressions;
}

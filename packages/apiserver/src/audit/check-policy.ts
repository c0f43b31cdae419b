import {
  aggregateFieldErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
  ScaffoldError,
  unsupportedField,
} from "@kubescaffold/k8s";

import {
  AUDIT_LEVELS,
  AUDIT_STAGES,
  type AuditGroupResources,
  type AuditPolicy,
  type AuditPolicyRule,
} from "./audit-policy.ts";

/**
 * Thrown when an audit policy is not valid.
 *
 * Fix: Correct the fields that the message names; a policy has at least one rule, and each rule has a level.
 */
export class AuditPolicyError extends ScaffoldError {
  readonly code = "APISERVER_AUDIT_POLICY";
}

/** Checks a policy. Fails: AuditPolicyError. */
export function checkAuditPolicy({ rules = [], omitStages = [] }: Partial<AuditPolicy>): void {
  const errors = [
    ...stageErrors("omitStages", omitStages),
    ...rules.flatMap((rule, index) => ruleErrors(`rules[${String(index)}]`, rule)),
  ];
  if (errors.length > 0) throw new AuditPolicyError(`invalid audit policy: ${aggregateFieldErrors(errors)}`);
  if (rules.length === 0) throw new AuditPolicyError("invalid audit policy: it has no rules");
}

function ruleErrors(field: string, rule: Partial<AuditPolicyRule>): readonly FieldError[] {
  const { level = "", nonResourceURLs = [], resources = [], namespaces = [], omitStages = [] } = rule;
  const isMixed = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelErrors(`${field}.level`, level),
    ...nonResourceURLs.flatMap((url, index) => urlErrors(`${field}.nonResourceURLs[${String(index)}]`, url)),
    ...resources.flatMap((each) => resourceErrors(`${field}.resources`, each)),
    ...stageErrors(`${field}.omitStages`, omitStages),
    ...(isMixed
      ? [
          invalidField(
            `${field}.nonResourceURLs`,
            nonResourceURLs,
            "rules cannot apply to both regular resources and non-resource URLs",
          ),
        ]
      : []),
  ];
}

function levelErrors(field: string, level: string): readonly FieldError[] {
  if (level === "") return [requiredField(field)];
  return (AUDIT_LEVELS as readonly string[]).includes(level) ? [] : [unsupportedField(field, level, AUDIT_LEVELS)];
}

function stageErrors(field: string, stages: readonly string[]): readonly FieldError[] {
  return stages.flatMap((stage, index) =>
    (AUDIT_STAGES as readonly string[]).includes(stage)
      ? []
      : [invalidField(`${field}[${String(index)}]`, stage, `allowed stages are ${AUDIT_STAGES.join(",")}`)],
  );
}

function urlErrors(field: string, url: string): readonly FieldError[] {
  if (url === "*") return [];
  return [
    ...(url.startsWith("/")
      ? []
      : [invalidField(field, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes("*")
      ? [invalidField(field, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function resourceErrors(
  field: string,
  { group = "", resources = [], resourceNames = [] }: AuditGroupResources,
): readonly FieldError[] {
  const problems = group === "" ? [] : dns1123SubdomainErrors(group);
  return [
    ...(problems.length === 0 ? [] : [invalidField(`${field}.group`, group, problems.join(","))]),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [invalidField(`${field}.resourceNames`, resourceNames, "using resourceNames requires at least one resource")]
      : []),
  ];
}

import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors, maskTrailingDash } from "@kubescaffold/k8s";
import { pathSegmentErrors, type NameRule as NameCheck } from "@kubescaffold/schema";

/** Which names a kind takes. */
export type NameRule = "subdomain" | "label" | "label-1035" | "path-segment";

const CHECKS: Readonly<Record<Exclude<NameRule, "path-segment">, (name: string) => readonly string[]>> = {
  subdomain: dns1123SubdomainErrors,
  label: dns1123LabelErrors,
  "label-1035": dns1035LabelErrors,
};

/** Returns the check of a rule: what is wrong with a name, or with the prefix of a generated one. */
export function nameCheck(rule: NameRule): NameCheck {
  if (rule === "path-segment") {
    return pathSegmentErrors;
  }
  const check = CHECKS[rule];
  return (name, isPrefix) => check(isPrefix ? maskTrailingDash(name) : name);
}

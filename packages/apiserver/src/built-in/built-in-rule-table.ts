import { groupKindToString, type GroupKind } from "@kubescaffold/k8s";

import { crdRules } from "../custom/crd-rules.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

const NO_RULES: BuiltInRules = {};

const RULES: ReadonlyMap<string, BuiltInRules> = new Map<string, BuiltInRules>([
  ["CustomResourceDefinition.apiextensions.k8s.io", crdRules],
]);

/** Returns the rules of a built-in kind. */
export function rulesOf(groupKind: GroupKind): BuiltInRules {
  return RULES.get(groupKindToString(groupKind)) ?? NO_RULES;
}

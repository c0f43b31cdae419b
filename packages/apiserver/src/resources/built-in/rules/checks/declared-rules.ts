import { type FieldError, invalidField } from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";

/** Returns the detail of an error that a declared rule of the type replaces: none, where servers have those. */
export function declaredDetail(detail: string): string {
  return areDeclared() ? "" : detail;
}

/** Returns an error where a field must not change; a declared rule, which replaces this one, does not print the value. */
export function declaredImmutable(field: string, value: unknown): FieldError {
  return invalidField(field, areDeclared() ? null : (value ?? null), "field is immutable");
}

/** Reports whether errors of the declared rules of types replace those of other rules. */
export function areDeclared(): boolean {
  return since("1.37") && isEnabled("DeclarativeValidationBeta");
}

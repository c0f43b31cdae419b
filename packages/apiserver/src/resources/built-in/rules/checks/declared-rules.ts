import { dns1123SubdomainErrors, type FieldError, invalidField, requiredField, tooLongField } from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";

/** Returns the detail of an error that a declared rule of the type replaces: none, where servers have those. */
export function declaredDetail(detail: string): string {
  return areDeclared() ? "" : detail;
}

/** Returns an error where a field must not change; a declared rule, which replaces this one, does not print the value. */
export function declaredImmutable(field: string, value: unknown): FieldError {
  return invalidField(field, areDeclared() ? null : (value ?? null), "field is immutable");
}

/** Returns what is wrong with a name whose form is declared, which tells its longest length in bytes and not in characters. */
export function declaredNameErrors(
  field: string,
  name: string,
  rule: (name: string) => readonly string[],
): readonly FieldError[] {
  return rule(name).map((problem) =>
    invalidField(
      field,
      name,
      areDeclared() ? problem.replace(/(?<=^must be no more than \d+ )characters$/u, "bytes") : problem,
    ),
  );
}

const LONGEST_DRIVER = 63;

/** Returns what is wrong with the name of a driver whose form is declared: a subdomain in letters of any case. */
export function declaredDriverErrors(field: string, name: string): readonly FieldError[] {
  if (name === "") return [requiredField(field)];
  return [
    ...(Array.from(name).length > LONGEST_DRIVER
      ? [{ ...tooLongField(field, LONGEST_DRIVER), detail: `may not be more than ${LONGEST_DRIVER} characters` }]
      : []),
    ...declaredNameErrors(field, name.toLowerCase(), dns1123SubdomainErrors).map((error) => ({
      ...error,
      badValue: name,
      detail: CASELESS.reduce((detail, [from, to]) => detail.replace(from, to), error.detail),
    })),
  ];
}

const CASELESS = [
  ["a lowercase RFC 1123", "an RFC 1123"],
  ["lower case alphanumeric", "alphanumeric"],
  ["e.g. 'example.com'", "e.g. 'Example.com'"],
] as const;

/** Reports whether errors of the declared rules of types replace those of other rules. */
export function areDeclared(): boolean {
  return since("1.37") && isEnabled("DeclarativeValidationBeta");
}

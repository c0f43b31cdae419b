import { minorNumber } from "@kubescaffold/k8s";

import type { ReleaseCode } from "../checks/release-codes.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceLocation } from "../loader/type-model.ts";

/** Something of the built-in API that a project uses. */
export interface Use {
  readonly code: ReleaseCode["code"];
  /** What it is, with an article if there is one: `field schedulingGroup in PodSpec of core/v1`. */
  readonly what: string;
  readonly location: SourceLocation;
}

/**
 * Returns a warning for what some minor versions have and others lack; undefined if all have it, and if none has it, since it is then not part of the
 * built-in API.
 *
 * `presence` states for each supported minor version whether it has it, or is undefined for one of which another finding is that it lacks the whole.
 */
export function warningOf(
  { code, what, location }: Use,
  presence: readonly (readonly [minor: string, isPresent: boolean | undefined])[],
): Diagnostic | undefined {
  const having = presence.filter(([, isPresent]) => isPresent === true).map(([minor]) => minor);
  const lacking = presence.filter(([, isPresent]) => isPresent === false).map(([minor]) => minor);
  const [first] = having;
  if (first === undefined || lacking.length === 0) return undefined;
  const { file, line, column, length } = location;
  const message = `${listed(lacking)} ${lacking.length === 1 ? "has" : "have"} no ${what}`;
  return { severity: "warning", code, message, file, line, column, length, hint: hintOf(code, { first, lacking }) };
}

function hintOf(
  code: ReleaseCode["code"],
  { first, lacking }: { readonly first: string; readonly lacking: readonly string[] },
): string {
  const relax = `allow it with the comment \`+kubescaffold:relax=${code}\` in the line above`;
  const isNew = lacking.every((minor) => minorNumber(minor) < minorNumber(first));
  return isNew
    ? `omit it, select ${first} for the project with \`edit --kubernetes ${first}\`, or ${relax}`
    : `omit it, or ${relax}`;
}

function listed(minors: readonly string[]): string {
  const last = minors.at(-1) ?? "";
  if (minors.length < 2) return `Kubernetes ${last}`;
  return `Kubernetes ${minors.slice(0, -1).join(", ")}${minors.length > 2 ? "," : ""} and ${last}`;
}

import { goQuote, newApplyConflict, type StatusError, parseServerJson, printServerJson } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry, StatusCause } from "@kubescaffold/k8s/meta/v1";
import { pathsOf, type FieldOwners } from "@kubescaffold/schema/structured-merge";

import type { ManagedFields } from "./managers.ts";

/** Returns the failure of an apply that would change fields of other owners. */
export function applyConflict(conflicts: FieldOwners, { entries }: ManagedFields): StatusError {
  const { causes, message } = conflictsOf(conflicts, entries);
  return newApplyConflict(causes, message);
}

/** Report of a conflict: a cause for each field, and one message with all of them. */
interface ApplyConflicts {
  readonly causes: readonly StatusCause[];
  readonly message: string;
}

/** Reports which managers own the fields that an apply would change. */
function conflictsOf(conflicts: FieldOwners, entries: ReadonlyMap<string, ManagedFieldsEntry>): ApplyConflicts {
  const groups = [...conflicts]
    .map(([key, set]) => ({ name: describe(entries.get(key) ?? {}), paths: pathsOf(set).map(printPath) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const causes = groups.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${name}`, field })),
  );
  if (causes.length === 1)
    return { causes, message: `Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}` };
  const lines = groups.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  return { causes, message: `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}` };
}

function describe({ manager = "", operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const name =
    subresource === undefined ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

function printPath(path: readonly string[]): string {
  return path.map(printElement).join("");
}

function printElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith("f:")) return `.${text}`;
  if (element.startsWith("v:")) return `[=${text}]`;
  const keys = Object.entries(parseServerJson(text) as Record<string, unknown>);
  return `[${keys.map(([key, value]) => `${key}=${printServerJson(value)}`).join(",")}]`;
}

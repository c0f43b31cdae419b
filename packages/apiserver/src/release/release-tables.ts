import { KUBERNETES_MINOR, KUBERNETES_VERSION } from "@kubescaffold/k8s";

import { BOOTSTRAP_BINDINGS, BOOTSTRAP_ROLES } from "./bootstrap-table.ts";
import { FEATURE_GATES, RETIRED_GATES } from "./feature-gate-table.ts";
import type { ServerPatch } from "./release-files.ts";

/** The tables of kube-apiserver in one minor version, as text that is parsed when it is needed; each starts and ends with a line break. */
export interface ReleaseTables {
  /** The minor version, such as `1.35`. */
  readonly minor: string;
  /** The version of the sources, such as `1.35.4`. */
  readonly version: string;
  /** The feature gates, as in `FEATURE_GATES`. */
  readonly gates: string;
  /** The gates that are gone although what they enabled stays, as in `RETIRED_GATES`. */
  readonly retiredGates: string;
  /** The roles, as in `BOOTSTRAP_ROLES`. */
  readonly roles: string;
  /** The bindings, as in `BOOTSTRAP_BINDINGS`. */
  readonly bindings: string;
}

/** The tables of the version whose types `@kubescaffold/k8s` contains. */
export const baseTables: ReleaseTables = {
  minor: KUBERNETES_MINOR,
  version: KUBERNETES_VERSION,
  gates: FEATURE_GATES,
  retiredGates: RETIRED_GATES,
  roles: BOOTSTRAP_ROLES,
  bindings: BOOTSTRAP_BINDINGS,
};

/** Returns the tables of another version, given those of a version and what differs. */
export function patchedTables(base: ReleaseTables, patch: ServerPatch): ReleaseTables {
  return {
    minor: patch.minor,
    version: patch.version,
    gates: patchedLines(base.gates, patch.gates, " "),
    retiredGates: tableOf(patch.retiredGates),
    roles: patchedLines(base.roles, patch.roles, "|"),
    bindings: patchedLines(base.bindings, patch.bindings, "|"),
  };
}

/** Returns the line of a table that starts with a text, without the lines of the table being parsed. */
export function lineStarting(table: string, start: string): string | undefined {
  const at = table.indexOf(`\n${start}`);
  return at === -1 ? undefined : table.slice(at + 1, table.indexOf("\n", at + 1));
}

/** Returns the lines of a table. */
export function linesOf(table: string): readonly string[] {
  return table.split("\n").filter((line) => line !== "");
}

// What is in a namespace follows what is in none.
function patchedLines(base: string, patch: readonly string[], separator: string): string {
  const lines = new Map(linesOf(base).map((line) => [nameIn(line, separator), line]));
  for (const line of patch) {
    if (line.startsWith("-")) lines.delete(line.slice(1));
    else lines.set(nameIn(line, separator), line);
  }
  const sorted = [...lines].toSorted(
    ([a], [b]) => Number(a.includes("/")) - Number(b.includes("/")) || (a < b ? -1 : 1),
  );
  return tableOf(sorted.map(([, line]) => line));
}

function tableOf(lines: readonly string[]): string {
  return `\n${lines.map((line) => `${line}\n`).join("")}`;
}

function nameIn(line: string, separator: string): string {
  return line.slice(0, line.indexOf(separator));
}

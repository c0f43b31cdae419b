import { lineComment } from "@kubescaffold/generators/typescript";

import { checkLines, type ImportCheck } from "../../../go-project/import-checks.ts";
import { type Migration, MIGRATION_FILE, scoreLine } from "../../../go-project/migration-page.ts";

/** Returns what the command prints of a migration, and of the checks at its end. */
// Names and texts of the Go project are anyone's: they add no lines, and mean nothing to a terminal.
export function notesOf(migration: Migration): readonly string[] {
  return linesOf(migration).map((note) =>
    note
      .split("\n")
      .map((line) => lineComment(line))
      .join("\n"),
  );
}

function linesOf({ scores, translations, notMapped, others }: Migration): readonly string[] {
  const open = translations.filter(({ state }) => state === "fill in" || state === "write");
  const differences = scores.flatMap((score) => score.differences);
  return [
    scores.map((score) => scoreLine(score)).join("\n"),
    ...(differences.length === 0 ? [] : [["Differences:", ...differences.map((each) => `  ${each}`)].join("\n")]),
    ...(notMapped.length === 0
      ? []
      : [["Not mapped:", ...notMapped.map(({ what, why }) => `  ${what}: ${why}`)].join("\n")]),
    ["To translate:", ...open.map(({ go, typescript = "" }) => `  ${go} -> ${typescript}`)].join("\n"),
    ...(others.differing.length + others.left.length === 0
      ? []
      : [
          `Differing manifests and files that were not imported are listed in ${MIGRATION_FILE}: ${others.differing.length} and ${others.left.length}.`,
        ]),
  ];
}

/** Returns the note of the checks at the end. */
export function checkNote(checks: readonly ImportCheck[]): string {
  return ["Checks of the new project:", ...checks.flatMap((each) => checkLines(each))]
    .map((line) => lineComment(line))
    .join("\n  ");
}

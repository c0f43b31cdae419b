import type { StateDifference } from "./compare-states.ts";

const MOST_DIFFERENCES = 20;

/** Renders the fields that differ as a table, after an empty line. */
export function renderDifferences(differences: readonly StateDifference[]): readonly string[] {
  const fields = differences.filter(({ path }) => path !== "");
  if (fields.length === 0) return [];
  return [
    "",
    "| Object | Field | Expected | Found |",
    "|---|---|---|---|",
    ...fields
      .slice(0, MOST_DIFFERENCES)
      .map(
        ({ object, path, expected, actual }) =>
          `| ${cell(object)} | ${cell(path)} | ${cell(expected)} | ${cell(actual)} |`,
      ),
  ];
}

function cell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return oneLine(text).replaceAll("|", String.raw`\|`);
}

/** Returns a text without line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}

/** Renders a section with a list; nothing for an empty list. */
export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines.map((line) => `- ${oneLine(line)}`)];
}

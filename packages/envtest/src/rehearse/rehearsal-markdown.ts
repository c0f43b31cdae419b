import { oneLine, renderDifferences, section } from "../oracles/markdown.ts";
import type { RehearsalReport, UpgradeFinding } from "./rehearsal-report.ts";

/** Renders a report as Markdown. */
export function renderRehearsal({
  verdict,
  findings,
  missing,
  notes,
  steps,
  output,
  durationMs,
}: RehearsalReport): string {
  const seconds = (durationMs / 1000).toFixed(0);
  return [
    "# Upgrade",
    "",
    `${VERDICTS[verdict](findings.length)} after ${String(steps.length)} steps in ${seconds} s.`,
    ...findings.flatMap(renderFinding),
    ...section("Missing", missing),
    ...section("Steps", steps),
    ...section("Notes", notes),
    ...(output.length === 0 ? [] : ["", "## Output", "", ...output.map((line) => `    ${line}`)]),
    "",
  ].join("\n");
}

const VERDICTS: Readonly<Record<RehearsalReport["verdict"], (count: number) => string>> = {
  clean: () => "No findings",
  findings: (count) => `${String(count)} ${count === 1 ? "finding" : "findings"}`,
  undecided: () => "The run could not judge",
};

function renderFinding({ id, oracle, step, message, differences = [] }: UpgradeFinding): readonly string[] {
  return ["", `## ${String(id)}. ${oracle}`, "", `${oneLine(message)} (${step}).`, ...renderDifferences(differences)];
}

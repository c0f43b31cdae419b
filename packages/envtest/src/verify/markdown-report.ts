import { oneLine, renderDifferences, section } from "../oracles/markdown.ts";
import type { Finding, VerifyReport } from "./finding.ts";

/** Renders a report as Markdown. */
export function renderMarkdown(report: VerifyReport): string {
  const { verdict, findings, missing, noise, notes, schedules, durationMs } = report;
  const seconds = (durationMs / 1000).toFixed(0);
  return [
    "# Convergence",
    "",
    `${VERDICTS[verdict](findings.length)} ${String(schedules.explored)} of ${String(schedules.planned)} schedules in ${seconds} s.`,
    ...findings.flatMap(renderFinding),
    ...section("Missing", missing),
    ...section(
      "Not compared",
      noise.map((place) => `\`${place}\``),
    ),
    ...section("Notes", notes),
    "",
  ].join("\n");
}

const VERDICTS: Readonly<Record<VerifyReport["verdict"], (count: number) => string>> = {
  clean: () => "No findings:",
  findings: (count) => `${String(count)} ${count === 1 ? "finding" : "findings"}:`,
  undecided: () => "The run could not judge:",
};

function renderFinding({ id, description, violations, confirmed, output }: Finding): readonly string[] {
  return [
    "",
    `## ${String(id)}. ${headline(description)}`,
    "",
    ...violations.map(({ oracle, step, message }) => `- **${oracle}** (${step}): ${oneLine(message)}`),
    "",
    `Seen in ${String(confirmed.seen)} of ${String(confirmed.runs)} runs.`,
    ...violations.flatMap(({ differences = [] }) => renderDifferences(differences)),
    ...(output.length === 0 ? [] : ["", "The end of the output:", "", ...output.map((line) => `    ${line}`)]),
  ];
}

function headline(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

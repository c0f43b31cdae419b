import { writeFile } from "node:fs/promises";

import type { RehearsalReport, RehearseEvent, UpgradeFinding } from "@kubescaffold/envtest/rehearse";

import type { Invocation } from "../../command/command.ts";
import { interruption } from "../../generating/interruption.ts";
import { differenceLines } from "../../output/difference-lines.ts";
import { requireProject } from "./former-folder.ts";
import { openFormerVersion } from "./former-version.ts";
import type { RehearseCommandOptions } from "./rehearse-options.ts";

const STATUS: Readonly<Record<RehearsalReport["verdict"], number>> = { clean: 0, findings: 1, undecided: 3 };

/** Rehearses an upgrade, and returns the exit status: 0 clean, 1 with findings, 3 if it cannot judge. */
export async function runRehearse(options: RehearseCommandOptions, invocation: Invocation): Promise<number> {
  const ending = new AbortController();
  void interruption().then(() => ending.abort(new Error("interrupted")));
  const { cwd } = invocation;
  requireProject(cwd, "the present version");
  const former = await openFormerVersion(options.from, { project: cwd, signal: ending.signal });
  try {
    const { rehearseUpgrade, renderRehearsal } = await import("@kubescaffold/envtest/rehearse");
    const { samples, ready, kubernetes, from: _from, report: file, ...others } = options;
    const report = await rehearseUpgrade({
      ...others,
      former: { project: former.project, name: former.name },
      present: { project: cwd, name: "the present version" },
      ...(samples.length === 0 ? {} : { samples }),
      ...(ready === undefined ? {} : { readyCondition: ready }),
      ...(kubernetes === undefined ? {} : { kubernetesVersion: kubernetes }),
      report: (event) => print(event, invocation),
      signal: ending.signal,
    });
    if (file !== undefined) await writeFile(file, renderRehearsal(report));
    printReport(report, invocation);
    return STATUS[report.verdict];
  } finally {
    await former.close();
  }
}

function print(event: RehearseEvent, { terminal, printsJson }: Invocation): void {
  if (printsJson) terminal.writeOut(`${JSON.stringify(event)}\n`);
  else terminal.writeOut(lineOf(event));
}

function lineOf(event: RehearseEvent): string {
  switch (event.event) {
    case "rehearsal":
      return `Rehearsing ${event.what}\n`;
    case "step":
      return `  ${event.step}\n`;
    case "suspected":
      return `  suspected: ${event.message}\n`;
    case "finding":
      return findingText(event.finding);
  }
}

function findingText({ id, oracle, step, message, differences = [] }: UpgradeFinding): string {
  return [`finding ${String(id)}: ${oracle}: ${message} (${step})\n`, ...differenceLines(differences)].join("");
}

function printReport(report: RehearsalReport, { terminal, printsJson }: Invocation): void {
  if (printsJson) {
    terminal.writeOut(`${JSON.stringify({ event: "report", ...report })}\n`);
    return;
  }
  const { verdict, missing, notes, steps, findings, output, durationMs } = report;
  const lines = [
    ...notes.map((note) => `note: ${note}`),
    ...missing.map((reason) => `cannot judge: ${reason}`),
    ...(missing.length === 0 ? [] : output.map((line) => `    ${line}`)),
    `${verdict}: ${findings.length === 1 ? "1 finding" : `${String(findings.length)} findings`} after ${String(steps.length)} steps in ${(durationMs / 1000).toFixed(0)} s`,
  ];
  terminal.writeOut(lines.map((line) => `${line}\n`).join(""));
}

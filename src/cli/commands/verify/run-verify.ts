import { writeFile } from "node:fs/promises";
import path from "node:path";

import type { Finding, VerifyEvent, VerifyOptions, VerifyReport, Violation } from "@kubescaffold/envtest/verify";
import { handledLater } from "@kubescaffold/platform";

import { pathKindSync } from "../../../machinery/disk.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { interruption } from "../../generating/interruption.ts";
import { differenceLines } from "../../output/difference-lines.ts";
import { projectFolder } from "../../session/project-folder.ts";
import type { VerifyCommandOptions } from "./verify-options.ts";

const STATUS: Readonly<Record<VerifyReport["verdict"], number>> = { clean: 0, findings: 1, undecided: 3 };

/** Verifies an operator, or repeats a finding, and returns the exit status: 0 clean, 1 with findings, 3 if it cannot judge. */
export async function runVerify(options: VerifyCommandOptions, invocation: Invocation): Promise<number> {
  const ending = new AbortController();
  void interruption().then(() => ending.abort(new Error("interrupted")));
  const verified = { ...operatorOf(options, invocation), signal: ending.signal };
  return options.replay === undefined
    ? await verify(options, { invocation, verified })
    : await replay(options.replay, { invocation, verified });
}

interface VerifyRun {
  readonly invocation: Invocation;
  readonly verified: VerifyOptions;
}

async function verify(options: VerifyCommandOptions, { invocation, verified }: VerifyRun): Promise<number> {
  const { verifyOperator, writeFinding, removeFindings, renderMarkdown, readBaseline, writeBaseline } =
    await import("@kubescaffold/envtest/verify");
  const { baseline, updatesBaseline } = options;
  const shown = shownIn(invocation);
  const writes: Promise<string>[] = [];
  const known = baseline === undefined || updatesBaseline ? [] : await readBaseline(baseline);
  await removeFindings(options.findings);
  const report = await verifyOperator({
    ...verified,
    baseline: known,
    report: (event) => {
      print(event, invocation);
      if (event.event === "finding") writes.push(handledLater(writeFinding(options.findings, event.finding)));
    },
  });
  const files = (await Promise.all(writes)).map(shown);
  if (baseline !== undefined && updatesBaseline && report.verdict !== "undecided") {
    await writeBaseline(baseline, report.findings);
    files.push(shown(baseline));
  }
  if (options.report !== undefined) await writeFile(options.report, renderMarkdown(report));
  printReport(report, { invocation, files });
  // Written findings are known from now on.
  return updatesBaseline && report.verdict === "findings" ? 0 : STATUS[report.verdict];
}

async function replay(file: string, { invocation, verified }: VerifyRun): Promise<number> {
  const { readFinding, replayFinding, describeSchedule } = await import("@kubescaffold/envtest/verify");
  const { schedule } = await readFinding(file);
  const { terminal, printsJson } = invocation;
  if (!printsJson) terminal.writeOut(`Replaying ${describeSchedule(schedule)}\n`);
  const runs = await replayFinding({ schedule }, verified);
  const seen = runs.filter((violations) => violations.length > 0).length;
  if (printsJson) terminal.writeOut(`${JSON.stringify({ event: "replayed", seen, runs })}\n`);
  else {
    for (const violation of runs.find((each) => each.length > 0) ?? []) terminal.writeOut(violationLine(violation));
    terminal.writeOut(`Seen in ${String(seen)} of ${String(runs.length)} runs\n`);
  }
  return seen === 0 ? 0 : 1;
}

function operatorOf(options: VerifyCommandOptions, { cwd }: Invocation): VerifyOptions {
  const { command, crds, samples, objects, roles, env, ready, ignore, timeMs, settleMs, seed, kubernetes } = options;
  const project = crds.length > 0 ? undefined : projectOf(cwd);
  return {
    ...(project === undefined ? {} : { project }),
    ...(command === undefined ? {} : { command }),
    ...(crds.length === 0 ? {} : { crds, directory: cwd }),
    ...(samples.length === 0 ? {} : { samples }),
    ...(objects.length === 0 ? {} : { objects }),
    ...(roles.length === 0 ? {} : { roles }),
    ...(ready === undefined ? {} : { readyCondition: ready }),
    ...(kubernetes === undefined ? {} : { kubernetesVersion: kubernetes }),
    env,
    ignore,
    timeMs,
    settleMs,
    seed,
  };
}

function projectOf(cwd: string): string {
  const folder = projectFolder(cwd);
  if (pathKindSync(path.join(folder, PROJECT_FILE)) === "file") return folder;
  throw new InvalidFlagError("no operator to verify: this folder is in no project", {
    hint: "pass --command, --crds, and --samples, or run the command in a project",
  });
}

function print(event: VerifyEvent, { terminal, printsJson }: Invocation): void {
  if (printsJson) terminal.writeOut(`${JSON.stringify(event)}\n`);
  else terminal.writeOut(lineOf(event));
}

function lineOf(event: VerifyEvent): string {
  switch (event.event) {
    case "reference":
      return `Reference, run ${String(event.run)} of 2\n`;
    case "planned":
      return `${String(event.schedules)} schedules\n`;
    case "schedule":
      return `[${String(event.number)}/${String(event.of)}] ${event.description}\n`;
    case "suspected":
      return `  suspected: ${event.messages.join("; ")}; repeating it\n`;
    case "dropped":
      return `  dropped: ${event.reason}\n`;
    case "finding":
      return findingText(event.finding);
  }
}

function findingText({ id, description, violations, confirmed }: Finding): string {
  const seen = `seen in ${String(confirmed.seen)} of ${String(confirmed.runs)} runs`;
  // One violation may be seen in several steps.
  const lines = new Set(violations.map(violationLine));
  return [`finding ${String(id)}: ${description} (${seen})\n`, ...lines].join("");
}

function violationLine({ oracle, message, differences = [] }: Violation): string {
  return [`  ${oracle}: ${message}\n`, ...differenceLines(differences)].join("");
}

function printReport(
  report: VerifyReport,
  {
    invocation: { terminal, printsJson },
    files,
  }: { readonly invocation: Invocation; readonly files: readonly string[] },
): void {
  if (printsJson) {
    terminal.writeOut(`${JSON.stringify({ event: "report", ...report, files })}\n`);
    return;
  }
  const { verdict, missing, noise, notes, schedules, durationMs, findings } = report;
  const lines = [
    ...notes.map((note) => `note: ${note}`),
    ...(noise.length === 0 ? [] : [`note: not compared, since it differs without a fault: ${noise.join(", ")}`]),
    ...missing.map((reason) => `cannot judge: ${reason}`),
    `${verdict}: ${findings.length === 1 ? "1 finding" : `${String(findings.length)} findings`}, ${String(schedules.explored)} of ${String(schedules.planned)} schedules in ${(durationMs / 1000).toFixed(0)} s`,
    ...(files.length === 0 ? [] : [`written: ${files.join(", ")}`]),
  ];
  terminal.writeOut(lines.map((line) => `${line}\n`).join(""));
}

function shownIn({ startedIn, cwd }: Invocation): (file: string) => string {
  return (file) => path.relative(startedIn ?? cwd, file);
}

import path from "node:path";

import { checkNumbers } from "@kubescaffold/k8s";

import { VerifyOptionsError } from "../failures/errors.ts";
import { readManifests } from "../install/manifests.ts";
import { NoiseMask } from "../oracles/compare-states.ts";
import { type Violation, violationKey } from "../oracles/oracles.ts";
import { confirm, type Judged, RUNS } from "./confirm-finding.ts";
import { type JudgedChange, judgeChange } from "./explore-changes.ts";
import { judgeStates } from "./explore-states.ts";
import type { Finding, VerifyReport } from "./finding.ts";
import { plannedSchedules } from "./plan.ts";
import type { PlayContext } from "./play-record.ts";
import { BASE_SCHEDULE, playReference, type Reference } from "./reference.ts";
import { describeSchedule, isUnobserved, type Schedule } from "./schedule.ts";
import type { VerifyOptions } from "./verify-options.ts";

const DEFAULT_TIME_MS = 300_000;
const INTERRUPTED = "the run was interrupted";

/**
 * Verifies that an operator converges: with crashes after each of its writes, with answers that are lost or late, after deletion and recreation of its
 * objects, and after changes that it does not observe. It runs as its own process, in an embedded cluster for each run.
 *
 * Fails: `VerifyOptionsError`, `ManifestPathMissingError`, and `YamlError` for the options and their files; `StatusError` when the server refuses a sample.
 *
 * @example
 * const { verdict, findings } = await verifyOperator({ command: "./manager", crds: ["config/crd"], samples: ["samples"] });
 */
export async function verifyOperator(options: VerifyOptions): Promise<VerifyReport> {
  return await new Verification(await contextOf(options)).run();
}

/** Runs the schedule of a finding as often as a confirmation does. Returns the violations of each run. Fails like {@link verifyOperator}. */
export async function replayFinding(
  finding: Pick<Finding, "schedule">,
  options: VerifyOptions,
): Promise<readonly (readonly Violation[])[]> {
  const context = await contextOf(options);
  const reference = await playReference(context, (run) => options.report?.({ event: "reference", run }));
  const runs: (readonly Violation[])[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { violations } = await judge(finding.schedule, { context, reference });
    runs.push(isBase(finding.schedule) ? reference.violations : violations);
  }
  return runs;
}

function isBase({ perturbation, steps }: Schedule): boolean {
  return perturbation === undefined && steps.every((step) => step.kind !== "change" && !isUnobserved(step));
}

async function contextOf(options: VerifyOptions): Promise<PlayContext> {
  checkNumbers("the verification of an operator", options, {
    timeMs: "duration",
    quietMs: "duration",
    settleMs: "duration",
  });
  const { project, command, crds = [], samples } = options;
  if (project === undefined && command === undefined) {
    throw new VerifyOptionsError(
      "no operator to verify: neither a project nor a command",
      "set `project` or `command`",
    );
  }
  if (project === undefined && crds.length === 0) {
    throw new VerifyOptionsError("no CRDs of the operator", "set `crds` to their files or folders");
  }
  // Before the first cluster starts.
  await readManifests({ paths: options.objects ?? [], what: "objects", errorIfPathMissing: true });
  const paths = samples ?? (project === undefined ? [] : [path.join(project, "config", "samples")]);
  const objects = await readManifests({ paths, what: "samples", errorIfPathMissing: true });
  if (objects.length === 0) {
    throw new VerifyOptionsError(
      "no samples: nothing for the operator to do",
      "set `samples` to files or folders with objects",
    );
  }
  return { options, samples: objects };
}

async function judge(
  schedule: Schedule,
  { context, reference }: { readonly context: PlayContext; readonly reference: Reference },
): Promise<Judged & Partial<JudgedChange>> {
  const change = schedule.steps.find((step) => step.kind === "change");
  if (change !== undefined) return await judgeChange(change.change, { context, reference });
  return await judgeStates(schedule, { context, reference });
}

class Verification {
  readonly #context: PlayContext;
  readonly #startedAt = performance.now();
  readonly #findings: Finding[] = [];
  readonly #known: Set<string>;
  readonly #baseline: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  readonly #notes: string[] = [];
  #explored = 0;
  #unreached = 0;
  #planned = 0;

  constructor(context: PlayContext) {
    this.#context = context;
    this.#baseline = new Set((context.options.baseline ?? []).map(violationKey));
    this.#known = new Set(this.#baseline);
  }

  async run(): Promise<VerifyReport> {
    const reference = await this.#untilAborted(
      async () => await playReference(this.#context, (run) => this.#report({ event: "reference", run })),
    );
    if (reference === undefined) return this.#result({ missing: [INTERRUPTED], noise: new NoiseMask([]) });
    if (reference.missing.length > 0) return this.#result(reference);
    this.#addReferenceFindings(reference);
    // A loop of writes has no end state.
    if (reference.violations.some(({ oracle }) => oracle === "rest")) return this.#result(reference);
    const schedules = plannedSchedules(reference.run);
    this.#planned = schedules.length;
    this.#report({ event: "planned", schedules: schedules.length });
    for (const [index, schedule] of schedules.entries()) {
      if (this.#isOver) break;
      const description = describeSchedule(schedule);
      this.#report({ event: "schedule", number: index + 1, of: schedules.length, description });
      await this.#untilAborted(async () => await this.#explore(schedule, reference));
    }
    const isAborted = this.#context.options.signal?.aborted === true && this.#findings.length === 0;
    return this.#result(isAborted ? { ...reference, missing: [INTERRUPTED] } : reference);
  }

  async #untilAborted<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (this.#context.options.signal?.aborted === true) return undefined;
      throw error;
    }
  }

  get #isOver(): boolean {
    const { timeMs = DEFAULT_TIME_MS, signal } = this.#context.options;
    return signal?.aborted === true || performance.now() - this.#startedAt > timeMs;
  }

  async #explore(schedule: Schedule, reference: Reference): Promise<void> {
    const play = async (): Promise<Judged & Partial<JudgedChange>> =>
      await judge(schedule, { context: this.#context, reference });
    const first = await play();
    this.#explored += 1;
    if (!first.isReached || first.isRefused === true) this.#unreached += 1;
    if (first.hasNoEffect === true) this.#notes.push(`${describeSchedule(schedule)}: the field has no effect`);
    const fresh = this.#fresh(first.violations);
    if (fresh.length === 0 || !first.isReached) return;
    const description = describeSchedule(schedule);
    this.#report({ event: "suspected", description, messages: fresh.map(({ message }) => message) });
    const confirmation = await confirm(first, {
      again: play,
      control: async () => (await judge(BASE_SCHEDULE, { context: this.#context, reference })).violations,
    });
    if ("dropped" in confirmation) {
      this.#notes.push(
        `${description}: ${fresh.map(({ message }) => message).join("; ")}, but ${confirmation.dropped}`,
      );
      this.#report({ event: "dropped", description, reason: confirmation.dropped });
      return;
    }
    this.#add({ description, schedule, ...confirmation });
  }

  // Known violations are not repeated, which takes time.
  #fresh(violations: readonly Violation[]): readonly Violation[] {
    for (const violation of violations) this.#seen.add(violationKey(violation));
    return violations.filter((violation) => !this.#known.has(violationKey(violation)));
  }

  #addReferenceFindings({ violations: found, run }: Reference): void {
    const violations = this.#fresh(found);
    if (violations.length === 0) return;
    this.#add({ description: "without a perturbation", schedule: BASE_SCHEDULE, violations, output: run.output }, 2);
  }

  #add(found: Pick<Finding, "description" | "schedule" | "violations" | "output">, runs: number = RUNS): void {
    const finding: Finding = { id: this.#findings.length + 1, ...found, confirmed: { seen: runs, runs } };
    for (const violation of found.violations) this.#known.add(violationKey(violation));
    this.#findings.push(finding);
    this.#report({ event: "finding", finding });
  }

  #baselineNotes(): readonly string[] {
    const isComplete = this.#planned > 0 && this.#explored === this.#planned;
    return [...this.#baseline].flatMap((key) => {
      if (this.#seen.has(key)) return [`known: ${key.trim()}`];
      return isComplete ? [`in the baseline, and not found: ${key.trim()}`] : [];
    });
  }

  #report(event: Parameters<NonNullable<VerifyOptions["report"]>>[0]): void {
    this.#context.options.report?.(event);
  }

  #result({ missing, noise }: Pick<Reference, "missing" | "noise">): VerifyReport {
    const verdict = missing.length > 0 ? "undecided" : this.#findings.length > 0 ? "findings" : "clean";
    return {
      verdict,
      findings: this.#findings,
      missing,
      noise: noise.places,
      notes: [...this.#notes, ...this.#baselineNotes()],
      schedules: { planned: this.#planned, explored: this.#explored, unreached: this.#unreached },
      durationMs: Math.round(performance.now() - this.#startedAt),
    };
  }
}

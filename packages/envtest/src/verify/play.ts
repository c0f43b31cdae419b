import { setTimeout as delay } from "node:timers/promises";

import {
  type ApiServer,
  NotQuietError,
  type StoredWrite,
  WriteCycleError,
  type WriteOutcome,
} from "@kubescaffold/apiserver";
import { messageOf } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";

import type { MissingState, PhaseRecord } from "../oracles/oracles.ts";
import { missingDeletion, missingReadiness } from "../oracles/readiness.ts";
import { fieldChanges } from "./field-changes.ts";
import { LateEvents } from "./late-events.ts";
import { OperatorProcess } from "./operator-process.ts";
import { deniedRequests, followWrites, isRecordOfWork, type OperatorWatch, watchesOf } from "./operator-requests.ts";
import { OperatorView } from "./operator-view.ts";
import type { PlayContext, PlayRecord } from "./play-record.ts";
import { SampleObjects } from "./sample-objects.ts";
import { describeStep, isUnobserved, type ReferenceWrite, type Schedule, type Step } from "./schedule.ts";
import { SecretValues } from "./secret-values.ts";
import { WatchedObjects } from "./watched-objects.ts";
import { startWorld, type World } from "./world.ts";

const DEFAULT_QUIET_MS = 500;
const DEFAULT_SETTLE_MS = 20_000;
const START_MS = 60_000;
const LATE_MS = 1000;
const POLL_MS = 100;
const KEPT_LINES = 20;
const HOLDS = 3;

/** Runs a schedule in its own cluster, with its own process of the operator; both end with the run. */
export async function playSchedule(schedule: Schedule, context: PlayContext): Promise<PlayRecord> {
  const world = await startWorld(context.options);
  const play = new Play(world, { ...context, schedule });
  const { signal } = context.options;
  const over = new AbortController();
  try {
    return await Promise.race([handledLater(play.run()), abortion(signal, over.signal)]);
  } finally {
    over.abort();
    await play.close();
    await world.stop();
  }
}

// Rejects when the run is to end early; never resolves.
async function abortion(signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { signal: over });
  });
}

class Play {
  readonly #world: World;
  readonly #context: PlayContext & { readonly schedule: Schedule };
  readonly #secrets = new SecretValues();
  readonly #objects: WatchedObjects;
  readonly #samples: SampleObjects;
  readonly #process: OperatorProcess;
  readonly #endings: (() => void)[] = [];
  readonly #writes: ReferenceWrite[] = [];
  #step = -1;
  #isReached = false;
  #isDeleting = false;
  #perturbed = Promise.resolve();
  #applied: Promise<unknown> = Promise.resolve();
  #view: OperatorView | undefined;
  #late: LateEvents | undefined;

  constructor(world: World, context: PlayContext & { readonly schedule: Schedule }) {
    this.#world = world;
    this.#context = context;
    const { server } = world.cluster;
    this.#objects = new WatchedObjects(server, this.#secrets);
    this.#samples = new SampleObjects(world.client, server, {
      samples: context.samples,
      changes: context.schedule.changes,
    });
    this.#process = new OperatorProcess(world.operator);
    this.#endings.push(
      followWrites(server, { user: world.operatorUser }, (write) => this.#onWrite(write)),
      () => this.#objects.close(),
    );
  }

  async run(): Promise<PlayRecord> {
    const { schedule } = this.#context;
    await this.#startView();
    this.#process.start();
    const failure = await this.#awaitOperator();
    const initial = this.#objects.state();
    const phases: PhaseRecord[] = [];
    if (failure === undefined) {
      for (const [index, step] of schedule.steps.entries()) {
        const phase = await this.#take(step, index);
        phases.push(phase);
        if (this.#isFinal(phase)) break;
      }
    }
    await this.#perturbed;
    return {
      phases,
      denied: deniedRequests(this.#server, this.#world.operatorUser),
      initial,
      writes: this.#writes,
      watches: watchesOf(this.#server, this.#world.operatorUser),
      fieldChanges: fieldChanges(this.#context.samples, this.#server.context.resources),
      isReached: this.#isReached || this.#late?.isReached === true || !hasMoment(schedule),
      failure,
      output: this.#secrets.redact(this.#process.output.trimEnd().split("\n").slice(-KEPT_LINES)),
      redact: (value) => this.#secrets.redact(value),
    };
  }

  async #startView(): Promise<void> {
    const { steps, perturbation } = this.#context.schedule;
    const isLate = perturbation?.kind === "late-events";
    if (!isLate && !steps.some(isUnobserved)) return;
    const view = await OperatorView.start(this.#world.cluster, this.#world.kubeconfigPath);
    this.#view = view;
    if (!isLate) return;
    const types = this.#samples.watchesOf(this.#world.operatorUser);
    const isOfSamples = types.some(
      ({ group, resource }) => group === perturbation.group && resource === perturbation.resource,
    );
    this.#late = new LateEvents(view, { perturbation, isOfSamples });
  }

  async close(): Promise<void> {
    this.#endings.forEach((end) => end());
    await this.#process.kill();
    await this.#view?.close();
  }

  get #server(): ApiServer {
    return this.#world.cluster.server;
  }

  async #awaitOperator(): Promise<string | undefined> {
    const watches = this.#requiredWatches();
    const over = new AbortController();
    const opened = handledLater(this.#server.quiet({ ms: 1, timeoutMs: START_MS, watches }));
    try {
      const reason = await Promise.race([opened.then(() => undefined), this.#process.givenUp(over.signal)]);
      if (reason !== undefined) return reason;
      await this.#server.quiet({ ms: this.#quietMs, timeoutMs: START_MS, watches });
    } catch (error) {
      return messageOf(error);
    } finally {
      over.abort();
    }
    const [exit] = this.#process.takeExits();
    return exit === undefined ? undefined : `the operator exits when it starts, with ${exit}`;
  }

  async #take(step: Step, index: number): Promise<PhaseRecord> {
    this.#step = index;
    const name = describeStep(step, index);
    if (index === 0) this.#late?.start();
    await this.#apply(step);
    if (index === 0) await this.#late?.send(LATE_MS);
    const settled = await this.#settle(step, index);
    return {
      kind: this.#isDeleting ? "delete" : phaseKind(step),
      step: name,
      state: this.#objects.state(),
      deletions: this.#objects.takeDeletions(),
      ...settled,
      exits: this.#process.takeExits(),
    };
  }

  // Samples that are not gone cannot be created again, and those that do not become ready without a fault are no reference.
  #isFinal({ kind, missing }: PhaseRecord): boolean {
    const isReference = this.#context.holdMs !== undefined;
    return missing.length > 0 && (kind === "delete" || (isReference && kind === "create"));
  }

  async #apply(step: Step): Promise<void> {
    const apply = async (): Promise<void> => {
      const written = await this.#samples.apply(step);
      for (const each of written) this.#objects.add(each);
      if (isUnobserved(step)) this.#isReached = step.kind === "unobserved-change" || written.length > 0;
    };
    this.#applied = handledLater(
      isUnobserved(step) && this.#view !== undefined ? this.#view.unobserved(apply) : apply(),
    );
    await this.#applied;
  }

  async #settle(step: Step, index: number): Promise<Pick<PhaseRecord, "unrest" | "missing">> {
    // A finalizer keeps the samples: there is nothing to judge.
    if (isUnobserved(step) && !this.#isReached) return { unrest: undefined, missing: [] };
    const { settleMs = DEFAULT_SETTLE_MS } = this.#context.options;
    const watches = this.#requiredWatches();
    const deadline = performance.now() + settleMs;
    for (;;) {
      const timeoutMs = Math.max(deadline - performance.now(), this.#quietMs * 4);
      try {
        // A new process has to open its watches first.
        await this.#server.quiet({ ms: 1, timeoutMs: Math.max(timeoutMs, START_MS), watches });
        await this.#server.quiet({ ms: this.#quietMs, timeoutMs, watches });
      } catch (error) {
        if (!(error instanceof WriteCycleError) && !(error instanceof NotQuietError)) throw error;
        return { unrest: error.message, missing: [] };
      }
      await this.#perturbed;
      const missing = await this.#missing(step);
      const isExpected = this.#context.isExpected?.(this.#objects.state(), index) ?? true;
      if (missing.length === 0 && isExpected) return { unrest: await this.#hold(), missing };
      if (performance.now() > deadline) return { unrest: undefined, missing };
      await delay(POLL_MS);
    }
  }

  // A slow loop rests between its writes.
  async #hold(): Promise<string | undefined> {
    const { holdMs } = this.#context;
    if (holdMs === undefined) return undefined;
    let repeated = "";
    for (let round = 0; round < HOLDS; round += 1) {
      const count = this.#writes.length;
      await delay(holdMs);
      const [write] = this.#writes.slice(count);
      if (write === undefined) return undefined;
      repeated = write.content.replace(/ [\da-f]{12}$/u, "");
    }
    return `the operator does not come to rest: it repeats ${repeated}`;
  }

  async #missing(step: Step): Promise<readonly MissingState[]> {
    const found = await this.#samples.read();
    if (step.kind === "delete" || this.#isDeleting) {
      return found.map(({ name, object }) => ({ object: name, what: missingDeletion(object) }));
    }
    return found.flatMap(({ name, object }) =>
      missingReadiness(object, this.#context.options.readyCondition).map((what) => ({ object: name, what })),
    );
  }

  get #quietMs(): number {
    return this.#context.options.quietMs ?? DEFAULT_QUIET_MS;
  }

  #requiredWatches(): readonly OperatorWatch[] {
    return this.#context.watches ?? this.#samples.watchesOf(this.#world.operatorUser);
  }

  #onWrite(write: StoredWrite): WriteOutcome | Promise<WriteOutcome> {
    this.#objects.add(write);
    if (isRecordOfWork(write)) return undefined;
    const { content } = write;
    this.#writes.push({ step: this.#step, content });
    const { perturbation } = this.#context.schedule;
    if (this.#step === 0) this.#late?.written();
    if (perturbation === undefined || perturbation.kind === "late-events") return undefined;
    if (perturbation.write !== content || this.#isReached) return undefined;
    const count = this.#writes.filter((each) => each.content === content).length;
    if (count !== perturbation.occurrence) return undefined;
    this.#isReached = true;
    if (perturbation.kind === "lost-answer") return "lose";
    if (perturbation.kind === "late-answer") return delay(LATE_MS);
    if (perturbation.kind === "deletion") {
      this.#perturbed = handledLater(this.#deleteDuringWrite());
      return this.#perturbed.then(() => undefined);
    }
    this.#perturbed = this.#process.kill().then(() => this.#process.start());
    return this.#perturbed.then(() => "lose");
  }

  // Samples that are created later would stay.
  async #deleteDuringWrite(): Promise<void> {
    this.#isDeleting = true;
    await this.#applied;
    await this.#samples.apply({ kind: "delete" });
  }
}

// Whether a schedule depends on a moment that may not come.
function hasMoment({ perturbation, steps }: Schedule): boolean {
  return perturbation !== undefined || steps.some(isUnobserved);
}

function phaseKind({ kind }: Step): PhaseRecord["kind"] {
  return kind === "unobserved-change" || kind === "unobserved-recreation" ? "change" : kind;
}

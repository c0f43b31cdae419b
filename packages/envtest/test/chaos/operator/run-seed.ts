import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { ApiServer } from "@kubescaffold/apiserver";
import type { EmbeddedCluster } from "@kubescaffold/cluster";
import { createClient, type LiveClient } from "@kubescaffold/runtime";

import { type Chaos, startChaos } from "../../../src/chaos/chaos.ts";
import type { ChaosReport } from "../../../src/chaos/fault-log.ts";
import { Schedule } from "../../../src/chaos/schedule.ts";
import { Environment } from "../../../src/environment/environment.ts";
import { BackendUnsupportedError } from "../../../src/failures/errors.ts";
import { FLEET_DEFINITION } from "./fleet.ts";
import { lostUpdates, overlappingLeaders, staleObjects } from "./invariants.ts";
import { ManagerProcess } from "./manager-process.ts";
import { profileOf } from "./profiles.ts";
import { UnhandledRejections } from "./unhandled-rejections.ts";
import { UserActions } from "./user-actions.ts";

/** The outcome of a seed. */
export interface SeedOutcome {
  /** The broken invariants; empty for a success. */
  readonly violations: readonly string[];
  /** The reports of both proxies. */
  readonly reports: readonly ChaosReport[];
  /** The number of the user's actions. */
  readonly actions: number;
  /** The number of runs of both managers. */
  readonly runs: number;
  /** Milliseconds from the end of the faults until all invariants held. */
  readonly convergedAfterMs: number;
  /** The names of the errors that ended managers, with their numbers. */
  readonly failures: readonly (readonly [string, number])[];
  /** The size of the heap after the managers have stopped. */
  readonly heapBytes: number;
}

// Durations of managers pass faster, so that an expired lease and the longest backoff take fractions of a second.
const SPEED = 20;
const CONVERGENCE_LIMIT_MS = 20_000;

/** Runs two managers behind proxies with the faults of a seed, lets a user act for some seconds, heals, and checks what must hold. */
export async function runSeed(seed: number, seconds: number): Promise<SeedOutcome> {
  const environment = new Environment({ controllers: true, crds: [FLEET_DEFINITION] });
  const config = await environment.start();
  const rejections = new UnhandledRejections();
  const tls = Math.floor(seed / 2) % 2 === 0;
  const profile = profileOf(seed, tls);
  const chaoses: Chaos[] = [];
  const processes: ManagerProcess[] = [];
  try {
    for (const [index, name] of ["a", "b"].entries()) {
      const target = await environment.addUser({ name: `manager-${name}`, groups: ["system:masters"] });
      const { name: _profile, ...options } = profile;
      const chaos = await startChaos({ ...options, target, seed: 2 * seed + index, tls, speed: SPEED });
      chaoses.push(chaos);
      processes.push(new ManagerProcess(name, chaos));
    }
    for (const each of processes) each.start();
    const server = createClient(config);
    const random = new Schedule(seed, {}).randomOf("user");
    const user = new UserActions(server, random);
    await disturb({ user, processes, chaoses, server: clusterOf(environment)?.server, random }, seconds);
    const healedAt = performance.now();
    await Promise.all(processes.map(async (each) => await each.heal()));
    const atRest = await untilAtRest(server, user, processes);
    const convergedAfterMs = Math.round(performance.now() - healedAt);
    const stopFailures = await stopAll(processes, chaoses);
    const violations = [
      ...atRest,
      ...(profile.illegal === true ? [] : processes.flatMap(contradictionsOf)),
      ...overlappingLeaders(processes.flatMap(({ runs }) => runs)),
      ...stopFailures,
      ...rejections.messages,
    ];
    return {
      violations,
      // The list of faults would be most of the memory of a long run.
      reports: chaoses.map((chaos) => ({ ...chaos.report(), injected: [] })),
      actions: user.count,
      runs: processes.reduce((sum, { runs }) => sum + runs.length, 0),
      convergedAfterMs,
      failures: processes.flatMap(({ failures }) => [...failures]),
      heapBytes: usedHeapBytes(),
    };
  } finally {
    await stopAll(processes, chaoses);
    rejections.stop();
    await environment.stop();
  }
}

function clusterOf(environment: Environment): EmbeddedCluster | undefined {
  try {
    return environment.cluster;
  } catch (error) {
    if (error instanceof BackendUnsupportedError) return undefined;
    throw error;
  }
}

interface Disturbed {
  readonly user: UserActions;
  readonly processes: readonly ManagerProcess[];
  readonly chaoses: readonly Chaos[];
  /** The embedded server, if it is one. */
  readonly server: ApiServer | undefined;
  readonly random: () => number;
}

const STEP_MS = 10;
const PARTITION_MS = 1500;
const LAST_FAULTS_MS = 200;
const STOP_LIMIT_MS = 10_000;

// The user acts all the time; rarely a process is killed or cut off, the history of the server expires, or connections close.
async function disturb({ user, processes, chaoses, server, random }: Disturbed, seconds: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1000;
  const partitions: Promise<void>[] = [];
  while (performance.now() < endsAt) {
    await user.act();
    const [event, chosen] = [random(), Math.floor(random() * processes.length)];
    if (event < 0.004) processes[chosen]?.kill();
    else if (event < 0.014) server?.faults.expireHistory();
    else if (event < 0.024) chaoses[chosen]?.closeConnections();
    else if (event < 0.028) partitions.push(partition(chaoses[chosen], PARTITION_MS * random()));
    else if (event < 0.033) server?.faults.dropWatches();
    await pause(STEP_MS * 2 * random());
  }
  await Promise.all(partitions);
  // A reconcile that fails now is not repaired by a later change.
  await user.changeAll();
  await pause(LAST_FAULTS_MS * random());
}

// All requests and watches hang, and later all connections break; a leader loses its lease meanwhile if that takes long.
async function partition(chaos: Chaos | undefined, ms: number): Promise<void> {
  const script = chaos?.script([
    { fault: "hangRequest", times: Number.POSITIVE_INFINITY },
    { fault: "hangWatch", times: Number.POSITIVE_INFINITY },
  ]);
  await pause(ms);
  script?.cancel();
  chaos?.closeConnections();
}

function contradictionsOf({ name, observed }: ManagerProcess): readonly string[] {
  return observed.flatMap(({ contradictions }) => contradictions.map((each) => `${name}: ${each}`));
}

// A violation must last until the limit: at first the managers are still at work.
async function untilAtRest(
  server: LiveClient,
  user: UserActions,
  processes: readonly ManagerProcess[],
): Promise<readonly string[]> {
  const endsAt = performance.now() + CONVERGENCE_LIMIT_MS;
  for (;;) {
    const violations = await violationsAtRest(server, user, processes);
    if (violations.length === 0 || performance.now() > endsAt) return violations;
    await pause(STEP_MS);
  }
}

async function violationsAtRest(
  server: LiveClient,
  user: UserActions,
  processes: readonly ManagerProcess[],
): Promise<readonly string[]> {
  const lost = await lostUpdates(server, user.desired);
  if (lost.length > 0) return lost;
  const stale = await Promise.all(
    processes.map(async ({ name, running }) => {
      if (running === undefined) return [`manager ${name} is not running`];
      const outcome = await Promise.race([staleObjects(running, server), pause(1000)]);
      return (outcome ?? ["the cache does not answer"]).map((each) => `${name}: ${each}`);
    }),
  );
  return stale.flat();
}

async function stopAll(processes: readonly ManagerProcess[], chaoses: readonly Chaos[]): Promise<readonly string[]> {
  const ofProcesses = await Promise.all(
    processes.map(async (each) => await stopped(`manager ${each.name}`, each.stop())),
  );
  const ofProxies = await Promise.all(chaoses.map(async (each) => await stopped("a proxy", each.stop())));
  return [...ofProcesses, ...ofProxies].flat();
}

async function stopped(what: string, stop: Promise<void>): Promise<readonly string[]> {
  const limit = new AbortController();
  const outcome = await Promise.race([
    stop.then(
      () => [],
      (error: unknown) => [`${what} did not stop: ${String(error)}`],
    ),
    pause(STOP_LIMIT_MS, limit.signal),
  ]);
  limit.abort();
  return outcome ?? [`${what} did not stop within ${String(STOP_LIMIT_MS)} ms`];
}

async function pause(ms: number, signal?: AbortSignal): Promise<undefined> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    signal?.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

// Collects garbage first, which needs a flag.
function usedHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
  return getHeapStatistics().used_heap_size;
}

import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { EmbeddedCluster } from "@kubescaffold/apiserver";
import { createClient, type WatchingClient } from "@kubescaffold/runtime";

import { type Chaos, startChaos } from "../../../src/chaos/chaos.ts";
import type { ChaosReport } from "../../../src/chaos/fault-log.ts";
import { type FaultProbabilities, TYPICAL_FAULTS } from "../../../src/chaos/faults.ts";
import { Schedule } from "../../../src/chaos/schedule.ts";
import { Environment } from "../../../src/environment.ts";
import { FLEET_DEFINITION } from "./fleet.ts";
import { lostUpdates, overlappingLeaders, staleObjects } from "./invariants.ts";
import { ManagerProcess } from "./manager-process.ts";
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

const FAULTS: FaultProbabilities = {
  ...TYPICAL_FAULTS,
  hangRequest: 0.01,
  jumpClock: 0.02,
  hangWatch: 0.01,
};

/** Runs two managers behind proxies with the faults of a seed, lets a user act for some seconds, heals, and checks what must hold. */
export async function runSeed(seed: number, seconds: number): Promise<SeedOutcome> {
  const environment = new Environment({ backend: "embedded", crds: [FLEET_DEFINITION] });
  const config = await environment.start();
  const rejections = new UnhandledRejections();
  const chaoses: Chaos[] = [];
  const processes: ManagerProcess[] = [];
  try {
    for (const [index, name] of ["a", "b"].entries()) {
      const target = await environment.addUser({ name: `manager-${name}`, groups: ["system:masters"] });
      const tls = seed % 2 === 1;
      const faults = tls ? { ...FAULTS, rotateCertificate: 0.01 } : FAULTS;
      const chaos = await startChaos({ target, seed: 2 * seed + index, faults, tls, speed: SPEED });
      chaoses.push(chaos);
      processes.push(new ManagerProcess(name, chaos));
    }
    for (const each of processes) each.start();
    const server = createClient(config);
    const random = new Schedule(seed, {}).randomOf("user");
    const user = new UserActions(server, random);
    await disturb({ user, processes, chaoses, cluster: environment.cluster, random }, seconds);
    const healedAt = performance.now();
    await Promise.all(chaoses.map(async (chaos) => await chaos.heal()));
    const atRest = await untilAtRest(server, user, processes);
    const convergedAfterMs = Math.round(performance.now() - healedAt);
    const stopFailures = await stopAll(processes, chaoses);
    const violations = [
      ...atRest,
      ...overlappingLeaders(processes.flatMap(({ runs }) => runs)),
      ...stopFailures,
      ...rejections.messages,
    ];
    return {
      violations,
      reports: chaoses.map((chaos) => chaos.report()),
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

interface Disturbed {
  readonly user: UserActions;
  readonly processes: readonly ManagerProcess[];
  readonly chaoses: readonly Chaos[];
  readonly cluster: EmbeddedCluster;
  readonly random: () => number;
}

const STEP_MS = 10;

// The user acts all the time; rarely a process is killed, the history of the server expires, or all connections close.
async function disturb({ user, processes, chaoses, cluster, random }: Disturbed, seconds: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1000;
  while (performance.now() < endsAt) {
    await user.act();
    const [event, chosen] = [random(), Math.floor(random() * processes.length)];
    if (event < 0.01) processes[chosen]?.kill();
    else if (event < 0.02) cluster.server.faults.expireHistory();
    else if (event < 0.03) chaoses[chosen]?.closeConnections();
    else if (event < 0.035) cluster.server.faults.dropWatches();
    await pause(STEP_MS * 2 * random());
  }
}

// A violation must last until the limit: at first the managers are still at work.
async function untilAtRest(
  server: WatchingClient,
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
  server: WatchingClient,
  user: UserActions,
  processes: readonly ManagerProcess[],
): Promise<readonly string[]> {
  const lost = await lostUpdates(server, user.desired);
  if (lost.length > 0) return lost;
  const stale = await Promise.all(
    processes.map(async ({ name, manager }) => {
      if (manager === undefined) return [`manager ${name} is not running`];
      const outcome = await Promise.race([staleObjects(manager, server), pause(1000)]);
      return (outcome ?? ["the cache does not answer"]).map((each) => `${name}: ${each}`);
    }),
  );
  return stale.flat();
}

async function stopAll(processes: readonly ManagerProcess[], chaoses: readonly Chaos[]): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(processes.map(async (each) => await each.stop()));
  await Promise.all(chaoses.map(async (chaos) => await chaos.stop()));
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
}

async function pause(ms: number): Promise<undefined> {
  return await new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });
}

// Collects garbage first, which needs a flag.
function usedHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
  return getHeapStatistics().used_heap_size;
}

class UnhandledRejections {
  readonly messages: string[] = [];
  readonly #listener = (reason: unknown): void => {
    this.messages.push(
      `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    );
  };

  constructor() {
    process.on("unhandledRejection", this.#listener);
  }

  stop(): void {
    process.off("unhandledRejection", this.#listener);
  }
}

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, FakeClock } from "@kubescaffold/platform/clock";
import { createClient } from "@kubescaffold/runtime";

import { Schedule } from "../../src/chaos/schedule.ts";
import { FLEET_DEFINITION } from "../chaos/operator/fleet.ts";
import { lostUpdates, overlappingLeaders, staleObjects } from "../chaos/operator/invariants.ts";
import { type CommonTime, ManagerProcess } from "../chaos/operator/manager-process.ts";
import { UnhandledRejections } from "../chaos/operator/unhandled-rejections.ts";
import { UserActions } from "../chaos/operator/user-actions.ts";
import { type FaultEntry, SimulatedNetwork } from "./simulated-network.ts";

/** What happens at one step of a simulation. */
interface SimulatedStep {
  /** Milliseconds until the next step. */
  readonly waitMs: number;
  /** The seed of the user's action; undefined for none. */
  readonly user?: number;
  /** What happens to a process or to the server. */
  readonly event?: "kill a" | "kill b" | "cut off a" | "cut off b" | "connect a" | "connect b" | "expire" | "drop";
}

/** All that happens in a simulation. */
export interface SimulationScript {
  /** Selects delays, and faults unless they are listed. */
  readonly seed: number;
  readonly steps: readonly SimulatedStep[];
  /** The faults of the network; undefined selects them by the seed. */
  readonly faults?: readonly FaultEntry[];
}

/** The outcome of a simulation. */
export interface SimulationOutcome {
  /** The broken invariants; empty for a success. */
  readonly violations: readonly string[];
  /** What happened, a line for each request, event, and step. */
  readonly trace: readonly string[];
  /** The faults that were injected. */
  readonly faults: readonly FaultEntry[];
  /** Simulated milliseconds from the end of the faults until all invariants held. */
  readonly convergedAfterMs: number;
}

const MOST_STEPS = 24;
const LONGEST_WAIT_MS = 1200;
const EVENTS = ["kill a", "kill b", "cut off a", "cut off b", "expire", "drop"] as const;
// A take-over takes a lease of 15 s, a queue waits for up to 1000 s after many failures, and a reflector for up to 30 s.
const CONVERGENCE_LIMIT_MS = 1_200_000;
const STOP_LIMIT_MS = 60_000;
const CACHE_LIMIT_MS = 1000;
const POLL_MS = 2000;

/** Returns the script of a seed. */
export function scriptOf(seed: number): SimulationScript {
  const random = new Schedule(seed, {}).randomOf("script");
  // Most scripts are short, which find as much in less time.
  const count = 3 + Math.floor(random() ** 3 * MOST_STEPS);
  const steps = Array.from({ length: count }, (): readonly SimulatedStep[] => {
    const waitMs = Math.floor(random() ** 3 * LONGEST_WAIT_MS);
    const user = Math.floor(random() * 2 ** 31);
    const event = random() < 0.15 ? EVENTS[Math.floor(random() * EVENTS.length)] : undefined;
    const outageMs = Math.floor(random() * 20_000);
    if (event === "cut off a" || event === "cut off b") {
      const end = event === "cut off a" ? "connect a" : "connect b";
      return [
        { waitMs: outageMs, user, event },
        { waitMs, event: end },
      ];
    }
    return [event === undefined ? { waitMs, user } : { waitMs, user, event }];
  });
  return { seed, steps: steps.flat() };
}

/**
 * Runs two managers, a user, and a server on a simulated clock and network, and checks what must hold, within simulated milliseconds
 * from the end of the script.
 */
export async function simulate(
  script: SimulationScript,
  limitMs: number = CONVERGENCE_LIMIT_MS,
): Promise<SimulationOutcome> {
  const clock = new FakeClock();
  const random = new Schedule(script.seed, {}).randomOf("runtime");
  const restore = replaceRandom(random);
  const rejections = new UnhandledRejections();
  const trace: string[] = [];
  const cluster = createEmbeddedCluster({ clock: clockWithoutHolds(clock) });
  const world = createWorld(script, cluster, clock, (line) =>
    trace.push(`${String(clock.monotonic()).padStart(8)} ${line}`),
  );
  try {
    cluster.server.start();
    await world.server.create(FLEET_DEFINITION as KubernetesObject);
    await clock.advance(1000);
    for (const each of world.processes) each.start();
    await play(world, script.steps);
    const { violations, convergedAfterMs } = await untilAtRest(world, limitMs);
    const stops = await stopAll(world);
    return {
      violations: [
        ...violations,
        ...world.processes.flatMap(({ name, observed }) =>
          observed.flatMap(({ contradictions }) => contradictions.map((each) => `${name}: ${each}`)),
        ),
        ...overlappingLeaders(world.processes.flatMap(({ runs }) => runs)),
        ...stops,
        ...rejections.messages,
      ],
      trace,
      faults: world.networks.flatMap(({ injected }) => injected),
      convergedAfterMs,
    };
  } finally {
    await cluster.close();
    rejections.stop();
    restore();
  }
}

// The delays of the simulated network are on the clock, too: work that waits for them must not hold it.
function clockWithoutHolds(clock: FakeClock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
  };
}

type World = ReturnType<typeof createWorld>;

function createWorld(
  { seed, faults }: SimulationScript,
  cluster: EmbeddedCluster,
  clock: FakeClock,
  trace: (line: string) => void,
) {
  const time: CommonTime = {
    now: () => clock.monotonic(),
    wait: async (ms) => {
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, ms);
      });
    },
  };
  const networks = ["a", "b"].map(
    (name) =>
      new SimulatedNetwork({
        name,
        target: cluster.addUser({ name: `manager-${name}`, groups: ["system:masters"] }),
        clock: clockWithoutHolds(clock),
        seed,
        faultProbability: [0, 0.03, 0.12][seed % 3] ?? 0,
        only: faults === undefined ? undefined : new Set(faults),
        trace,
      }),
  );
  const processes = networks.map((network, index) => new ManagerProcess(["a", "b"][index] ?? "", network, time));
  const server = createClient(cluster.config, { clock });
  let random = (): number => 0;
  const user = new UserActions(server, () => random());
  const act = async (userSeed: number): Promise<void> => {
    random = new Schedule(userSeed, {}).randomOf("user");
    await user.act();
  };
  return { clock, cluster, networks, processes, server, user, act, trace };
}

async function play(world: World, steps: readonly SimulatedStep[]): Promise<void> {
  const { clock, networks, processes, cluster, trace } = world;
  for (const { waitMs, user, event } of steps) {
    if (user !== undefined) await world.act(user);
    if (event !== undefined) trace(event);
    if (event === "expire") cluster.server.faults.expireHistory();
    else if (event === "drop") cluster.server.faults.dropWatches();
    else if (event !== undefined) {
      const index = event.endsWith("a") ? 0 : 1;
      if (event.startsWith("kill")) processes[index]?.kill();
      else if (event.startsWith("cut off")) networks[index]?.cutOff();
      else networks[index]?.connect();
    }
    await clock.advance(waitMs);
  }
  for (const each of processes) await each.heal();
  // A reconcile that fails before is repaired by the change.
  await world.user.changeAll();
}

async function untilAtRest(
  world: World,
  limitMs: number,
): Promise<Pick<SimulationOutcome, "violations" | "convergedAfterMs">> {
  const { clock } = world;
  const startedAt = clock.monotonic();
  for (;;) {
    const violations = await violationsAtRest(world);
    const convergedAfterMs = clock.monotonic() - startedAt;
    if (violations.length === 0 || convergedAfterMs > limitMs) return { violations, convergedAfterMs };
    await clock.advance(Math.max(POLL_MS, convergedAfterMs / 4));
  }
}

async function violationsAtRest({ clock, server, user, processes }: World): Promise<readonly string[]> {
  const lost = await lostUpdates(server, user.desired);
  if (lost.length > 0) return lost;
  const stale = await Promise.all(
    processes.map(async ({ name, running }) =>
      running === undefined
        ? [`manager ${name} is not running`]
        : (await orNothing(within(clock, staleObjects(running, server), CACHE_LIMIT_MS))).map(
            (each) => `${name}: ${each}`,
          ),
    ),
  );
  return stale.flat();
}

// A cache that is not synced yet does not answer.
async function orNothing(stale: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await stale;
  } catch (error) {
    return [String(error)];
  }
}

async function stopAll({ clock, processes }: World): Promise<readonly string[]> {
  const stopped = Promise.all(processes.map(async (each) => await each.stop()));
  try {
    await within(clock, stopped, STOP_LIMIT_MS);
    return [];
  } catch (error) {
    return [`managers did not stop: ${String(error)}`];
  }
}

// Advances the clock until a promise of a process settles; the user and the server need no clock.
async function within<T>(clock: FakeClock, work: Promise<T>, limitMs: number): Promise<T> {
  const state = { isSettled: false };
  const settled = handledLater(
    work.finally(() => {
      state.isSettled = true;
    }),
  );
  const endsAt = clock.monotonic() + limitMs;
  await clock.advance(0);
  while (!state.isSettled) {
    if (clock.monotonic() > endsAt) throw new Error(`not settled after ${String(limitMs)} ms`);
    await clock.advance(Math.min(clock.nextDelayMs ?? 10, 1000));
  }
  return await settled;
}

// Back-offs and time-outs of watches draw from the seed.
function replaceRandom(random: () => number): () => void {
  const original = Math.random;
  Math.random = random;
  return () => {
    Math.random = original;
  };
}

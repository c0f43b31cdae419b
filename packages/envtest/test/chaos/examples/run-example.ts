import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { createClient, createManager, metrics, silentLogger } from "@kubescaffold/runtime";

import { type Chaos, startChaos } from "../../../src/chaos/chaos.ts";
import { Schedule } from "../../../src/chaos/schedule.ts";
import { Environment } from "../../../src/environment/environment.ts";
import { profileOf } from "../operator/profiles.ts";
import { UnhandledRejections } from "../operator/unhandled-rejections.ts";
import type { CreateExample, Example } from "./example.ts";

const EXAMPLES = fileURLToPath(new URL("../../../../../examples/", import.meta.url));
const ACCOUNT = { namespace: "default", name: "controller-manager" };
// Durations of the manager pass faster.
const SPEED = 20;
const STEP_MS = 10;
const RESTART_MS = 20;
const CONVERGENCE_LIMIT_MS = 30_000;
const FIRST_FAULT_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
// Leases have the faults of this profile, and the managers of this test have none.
const LEASES = 2;

/** Runs a manager with the role of an example behind a proxy with the faults of a seed, lets a user act for some seconds, heals, and checks the state. */
export async function runExample(
  name: string,
  create: CreateExample,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<readonly string[]> {
  const folder = path.join(EXAMPLES, name);
  const definitions = path.join(folder, "config", "crd", "bases");
  const environment = new Environment({
    controllers: true,
    crdDirectoryPaths: existsSync(definitions) ? [definitions] : [],
  });
  const rejections = new UnhandledRejections();
  let chaos: Chaos | undefined;
  let process: RestartedManager | undefined;
  let example: Example | undefined;
  try {
    const client = createClient(await environment.start());
    const target = await environment.addServiceAccount(ACCOUNT, {
      roles: [path.join(folder, "config", "rbac", "role.yaml")],
    });
    const random = new Schedule(seed, {}).randomOf("user");
    // The example determines the faults, and the proxy its clock.
    let clock = { now: () => Date.now() } as Chaos["clock"];
    example = create({ client, random, clock: { ...clock, now: () => clock.now() } });
    chaos = await startChaos({ ...faultsOf(seed, example), target, seed, tls: false, speed: SPEED });
    clock = chaos.clock;
    process = new RestartedManager(example, chaos);
    await disturb({ example, chaos, process, random }, seconds);
    await chaos.heal();
    const violations = await untilAtRest(example);
    const isUndisturbed = chaos.report().injected.length === 0;
    return [
      ...violations,
      ...(isUndisturbed ? ["no faults were injected"] : []),
      ...(await process.stop()),
      ...rejections.messages,
    ];
  } finally {
    await process?.stop();
    await example?.stop?.();
    await chaos?.stop();
    rejections.stop();
    await environment.stop();
  }
}

function faultsOf(
  seed: number,
  { without = [] }: Example,
): Pick<Parameters<typeof startChaos>[0], "faults" | "illegal"> {
  const profile = profileOf(seed % 6 === LEASES ? seed + 1 : seed, false);
  const faults = Object.entries(profile.faults ?? {}).filter(
    ([fault]) => !(without as readonly string[]).includes(fault),
  );
  return {
    faults: Object.fromEntries(faults),
    ...(profile.illegal === undefined ? {} : { illegal: profile.illegal }),
  };
}

interface Disturbed {
  readonly example: Example;
  readonly chaos: Chaos;
  readonly process: RestartedManager;
  readonly random: () => number;
}

// The user acts all the time; rarely the manager is killed, or its connections close.
// A manager that starts slowly may send too few requests for a fault in the given time, so the first fault is waited for.
async function disturb({ example, chaos, process, random }: Disturbed, seconds: number): Promise<void> {
  const start = performance.now();
  const isOver = () => {
    const passed = performance.now() - start;
    return passed >= seconds * 1000 && (chaos.report().injected.length > 0 || passed >= FIRST_FAULT_LIMIT_MS);
  };
  while (!isOver()) {
    await example.act();
    const event = random();
    if (event < 0.005) process.kill();
    else if (event < 0.015) chaos.closeConnections();
    await pause(STEP_MS * 2 * random());
  }
}

// A violation must last until the limit: at first the manager is still at work.
async function untilAtRest(example: Example): Promise<readonly string[]> {
  const endsAt = performance.now() + CONVERGENCE_LIMIT_MS;
  for (;;) {
    const violations = await example.violations();
    if (violations.length === 0 || performance.now() > endsAt) return violations;
    await pause(5 * STEP_MS);
  }
}

/** A manager that is restarted whenever it ends, as a Deployment restarts its Pod. */
class RestartedManager {
  readonly #example: Example;
  readonly #chaos: Chaos;
  readonly #done = new AbortController();
  #kill = new AbortController();
  readonly #loop: Promise<void>;

  constructor(example: Example, chaos: Chaos) {
    [this.#example, this.#chaos] = [example, chaos];
    this.#loop = this.#runUntilStopped();
  }

  /** Stops the manager; another starts. */
  kill(): void {
    this.#kill.abort();
  }

  /** Stops the manager for good. Returns that it did not stop, if so. */
  async stop(): Promise<readonly string[]> {
    this.#done.abort();
    this.#kill.abort();
    const isStopped = await Promise.race([this.#loop.then(() => true), pause(STOP_LIMIT_MS)]);
    return isStopped === true ? [] : [`the manager did not stop within ${String(STOP_LIMIT_MS)} ms`];
  }

  async #runUntilStopped(): Promise<void> {
    while (!this.#done.signal.aborted) {
      this.#kill = new AbortController();
      // A manager that cannot start or loses its cache exits, as it should.
      await this.#run(this.#kill.signal).catch(() => undefined);
      await pause(RESTART_MS);
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { restConfig, clock } = this.#chaos;
    const manager = await createManager(
      { ...restConfig, timeoutMs: 10_000 },
      {
        clock,
        logger: silentLogger,
        metrics: { bindAddress: "0", registry: metrics.createMetricsRegistry() },
        controller: { skipNameValidation: true },
      },
    );
    await this.#example.setup(manager);
    await manager.start(signal);
  }
}

async function pause(ms: number): Promise<undefined> {
  return await new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });
}

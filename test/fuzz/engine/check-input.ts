import { type FuzzTarget, isRefusal, Violation } from "./fuzz-target.ts";

/** An input that a target does not bear. */
export interface Finding {
  /** The kind of the finding and its place, the same for inputs that fail for the same reason. */
  readonly signature: string;
  readonly message: string;
}

/** The longest that one input may take: a hundred times of what the slowest seeds take. On a busy machine, only the time of the processor counts. */
const LONGEST_MS = 2000;

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const CLEAN = PROTOTYPES.map((prototype) => describePrototype(prototype));

/** Runs a target with an input, and returns what went wrong. */
export async function checkInput(target: FuzzTarget, input: string): Promise<Finding | undefined> {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const finding = await outcome(target, input);
  const { user, system } = process.cpuUsage(used);
  const elapsed = Math.min(performance.now() - start, (user + system) / 1000);
  if (finding !== undefined) return finding;
  if (pollutedPrototype()) return { signature: "pollution", message: "a prototype was changed" };
  return elapsed <= LONGEST_MS
    ? undefined
    : { signature: "slow", message: `took ${elapsed.toFixed(0)} ms, more than ${String(LONGEST_MS)} ms` };
}

async function outcome(target: FuzzTarget, input: string): Promise<Finding | undefined> {
  try {
    const running = target.run(input);
    if (running instanceof Promise) await running;
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    if (!(error instanceof Error)) return { signature: "thrown", message: `threw ${typeof error}` };
    return {
      signature: `${error.name}: ${(error instanceof Violation ? (error.message.split(/[:\n]/u, 1)[0] ?? "") : error.message).replaceAll(/["'`].*["'`]|\d+/gsu, "…").slice(0, 80)}`,
      message: error.stack ?? error.message,
    };
  }
}

function pollutedPrototype(): boolean {
  return PROTOTYPES.some((prototype, index) => describePrototype(prototype) !== CLEAN[index]);
}

function describePrototype(prototype: object): string {
  return Reflect.ownKeys(prototype).map(String).join();
}

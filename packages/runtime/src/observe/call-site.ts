import { ScaffoldError } from "@kubescaffold/k8s";

import { TokenBucketRateLimiter } from "../wait/token-bucket.ts";

/** The place of a call in a program. */
export interface CallSite {
  /** The stack at the call; made if it is read. */
  readonly stack?: string;
  /** The frames that the program wants to see. */
  readonly limit: number;
}

/**
 * Returns the place from which a public function is called.
 *
 * V8 records ten frames, which the product's own ones would fill: they end above the line that the user knows.
 */
export function callSite(): CallSite {
  const { stackTraceLimit: given } = Error as { readonly stackTraceLimit?: unknown };
  const site: CallSite = { limit: typeof given === "number" ? Math.max(given, 0) : 0 };
  if (site.limit === 0) return site;
  // Assigning throws where a program has frozen it.
  Reflect.set(Error, "stackTraceLimit", Math.max(site.limit, MOST_FRAMES));
  Error.captureStackTrace(site, callSite);
  Reflect.set(Error, "stackTraceLimit", given);
  return site;
}

const MOST_FRAMES = 50;

/**
 * Runs a call of a client. If it fails, the stack of the error is that of the call: the line of the program that made it comes first.
 *
 * Calls that it makes before it first waits have the same place, which is recorded once. To record a place costs a tenth of a short request: of
 * hundreds of calls in a second it is recorded for some. The place of the others is where the program awaits them, which V8 knows once they have failed.
 */
export async function fromCallSite<T>(run: () => Promise<T>): Promise<T> {
  if (isWithinCall) return await run();
  const site = recordedPlaces.tryAccept() ? callSite() : undefined;
  try {
    return await withinCall(run);
  } catch (error) {
    throw withCallSite(error, site ?? callSite());
  }
}

// By the clock of the process: one of tests may stand still.
const recordedPlaces = new TokenBucketRateLimiter({ qps: 100, burst: 100 });

let isWithinCall = false;

/** Starts a call within another one, whose place is recorded. */
export function withinCall<T>(start: () => T): T {
  const wasWithin = isWithinCall;
  isWithinCall = true;
  try {
    return start();
  } finally {
    isWithinCall = wasWithin;
  }
}

/** Yields what a stream yields. If it fails, the stack of the error is that of the call, which came before the first item was read. */
export async function* streamFromCallSite<T>(
  stream: AsyncIterable<T>,
  site: CallSite,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* stream;
  } catch (error) {
    throw withCallSite(error, site);
  }
}

// Other errors are the user's, such as the reason of a signal, or bugs, whose own frames are needed.
function withCallSite(error: unknown, site: CallSite): unknown {
  if (!(error instanceof ScaffoldError) || site.limit === 0) return error;
  let text: string | undefined;
  // Many failures are handled, and nobody reads their stacks.
  Reflect.defineProperty(error, "stack", {
    get: () => (text ??= stackOf(error, site)),
    set: (value: string) => {
      text = value;
    },
    configurable: true,
    enumerable: false,
  });
  return error;
}

function stackOf({ name, message }: Error, { stack = "", limit }: CallSite): string {
  const frames = stack.split("\n").filter((line) => FRAME.test(line));
  const foreign = frames.filter((line) => !isOwn(line));
  // The loop of Node comes before whoever awaited a call.
  const start = foreign.findIndex((line) => !line.includes("node:"));
  const shown = start === -1 ? frames : foreign.slice(start);
  return [`${name}: ${message}`, ...shown.slice(0, limit)].join("\n");
}

const FRAME = /^\s+at /u;
const INSTALLED = /[\\/]node_modules[\\/]@kubescaffold[\\/]/u;
const SOURCES = /^file:\/\/(?<packages>.*\/packages\/)runtime\/src\/observe\/call-site\.ts$/u.exec(import.meta.url)
  ?.groups?.["packages"];

// A bundle of a program has no folders of packages: all frames are shown.
function isOwn(line: string): boolean {
  return INSTALLED.test(line) || (SOURCES !== undefined && line.includes(SOURCES) && OWN_SOURCE.test(line));
}

const OWN_SOURCE = /\/packages\/[a-z0-9]+\/src\//u;

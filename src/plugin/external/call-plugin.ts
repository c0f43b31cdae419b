import { isRecord } from "@kubescaffold/platform";
import { OWN_GROUP, signalGroup } from "@kubescaffold/platform/processes";
import { ExecaError, execa, type ResultPromise } from "execa";

import type { FoundPlugin } from "./discover-plugins.ts";
import { PluginAnswerError, PluginFailedError, PluginReportedError } from "./errors.ts";
import { matchesAnswerSchema } from "./generated/matches-answer-schema.ts";
import { type PluginAnswer, type PluginRequest, PROTOCOL_VERSION } from "./protocol.ts";

/** How a plugin is called. */
export interface CallOptions {
  /** The folder that it runs in. */
  readonly cwd: string;
  readonly timeoutMs: number;
}

/**
 * Runs an external plugin with a request on its standard input and returns its answer; what it prints on standard error goes to ours.
 *
 * Fails: {@link PluginFailedError}, {@link PluginAnswerError}, {@link PluginReportedError}.
 */
export async function callPlugin(
  plugin: FoundPlugin,
  request: Omit<PluginRequest, "apiVersion">,
  options: CallOptions,
): Promise<PluginAnswer> {
  const input = JSON.stringify({ apiVersion: PROTOCOL_VERSION, ...request });
  const answer = parseAnswer(plugin.key, await run(plugin, input, options));
  if (answer.error === true) throw new PluginReportedError(plugin.key, answer.errorMsgs ?? []);
  return answer;
}

async function run(plugin: FoundPlugin, input: string, { cwd, timeoutMs }: CallOptions): Promise<string> {
  try {
    return await runProgram(plugin.executable, { cwd, input, timeoutMs });
  } catch (error) {
    if (error instanceof ExecaError) return afterFailure(plugin.key, error, timeoutMs);
    throw error;
  }
}

// A plugin may end with a failure and say why in its answer.
function afterFailure(key: string, error: ExecaError, timeoutMs: number): never {
  if (error.timedOut) {
    const seconds = String(timeoutMs / 1000);
    throw new PluginFailedError(key, { reason: `did not respond within ${seconds} s and was stopped`, cause: error });
  }
  const said = errorMessages(String(error.stdout ?? ""));
  if (said !== undefined) throw new PluginReportedError(key, said);
  const reason =
    error.exitCode === undefined
      ? `cannot be run: ${error.signal ?? error.originalMessage ?? error.shortMessage}`
      : `exited with status ${String(error.exitCode)}`;
  throw new PluginFailedError(key, { reason, cause: error });
}

function errorMessages(stdout: string): readonly string[] | undefined {
  try {
    const answer = withProtocolKeys(JSON.parse(stdout));
    return matchesAnswerSchema(answer) ? ((answer as PluginAnswer).errorMsgs ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads what a plugin printed. Fails: {@link PluginAnswerError}. */
export function parseAnswer(key: string, stdout: string): PluginAnswer {
  if (stdout.trim() === "") throw new PluginAnswerError(key, "it printed nothing");
  const answer = parseJson(key, stdout);
  if (matchesAnswerSchema(answer)) return answer as PluginAnswer;
  const [problem] = matchesAnswerSchema.errors ?? [];
  const place = problem?.instancePath.split("/").slice(1).join(".") ?? "";
  throw new PluginAnswerError(
    key,
    `${place === "" ? "it" : place} ${problem?.message ?? "does not conform to the protocol"}`,
  );
}

function parseJson(key: string, text: string): unknown {
  try {
    return withProtocolKeys(JSON.parse(text));
  } catch {
    const start = text.trim().slice(0, 60).replaceAll(/\s+/gu, " ");
    throw new PluginAnswerError(key, `it is not a JSON document; it starts with ${JSON.stringify(start)}`);
  }
}

// The objects of an answer whose keys the protocol names; those of a universe are paths.
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  "": ["apiVersion", "command", "error", "errorMsgs", "universe", "metadata", "flags"],
  metadata: ["description", "examples"],
  flags: ["name", "type", "default", "usage"],
};

/**
 * Returns what a plugin printed with the keys as the protocol writes them.
 *
 * Upstream reads them in whatever case they are, and its own library for plugins prints `Name` and `Description`.
 */
export function withProtocolKeys(answer: unknown): unknown {
  const renamed = renameKeys(answer, "");
  if (!isRecord(renamed)) return renamed;
  const { metadata, flags } = renamed;
  return {
    ...renamed,
    ...(metadata === undefined ? {} : { metadata: renameKeys(metadata, "metadata") }),
    ...(Array.isArray(flags) ? { flags: flags.map((flag: unknown) => renameKeys(flag, "flags")) } : {}),
  };
}

function renameKeys(value: unknown, object: string): unknown {
  if (!isRecord(value)) return value;
  const known = OBJECTS[object] ?? [];
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key,
      each,
    ]),
  );
}

/** How a program is run. */
interface RunOptions {
  /** The folder that it runs in. */
  readonly cwd: string;
  /** What it reads on its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
}

const KILL_DELAY_MS = 1000;

/**
 * Runs a program and returns what it prints; what it prints on standard error goes to ours.
 *
 * Guarantees: once its time is over it is stopped with all that it has started, and so it is when this process ends before it.
 * Fails: ExecaError, `timedOut` where its time was over.
 */
async function runProgram(program: string, { cwd, input, timeoutMs }: RunOptions): Promise<string> {
  const running = execa(program, [], {
    cwd,
    input,
    stderr: "inherit",
    timeout: timeoutMs,
    forceKillAfterDelay: KILL_DELAY_MS,
    stripFinalNewline: false,
    // A script ends together with the programs that it has started, which would otherwise keep its output open.
    ...OWN_GROUP,
  });
  const stopWatching = stopWithThisProcess(running);
  const timer = setTimeout(() => giveUp(running), timeoutMs);
  try {
    const { stdout } = await running;
    return stdout;
  } finally {
    clearTimeout(timer);
    stopWatching();
  }
}

type Running = Pick<ResultPromise, "pid" | "kill" | "stdout">;

function giveUp(running: Running): void {
  signalGroup(running, "SIGTERM");
  setTimeout(() => {
    signalGroup(running, "SIGKILL");
    // What left the group may hold it still.
    running.stdout?.destroy();
  }, KILL_DELAY_MS).unref();
}

// Signals of a terminal reach the group of this process alone.
function stopWithThisProcess(running: Running): () => void {
  const stop = (): void => signalGroup(running, "SIGTERM");
  const passOn = (signal: NodeJS.Signals): void => {
    stop();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once("exit", stop).once("SIGINT", passOn).once("SIGTERM", passOn);
  return () => {
    process.off("exit", stop).off("SIGINT", passOn).off("SIGTERM", passOn);
  };
}

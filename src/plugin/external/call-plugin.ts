import { ExecaError } from "execa";

import { withProtocolKeys } from "./answer-keys.ts";
import { matchesAnswerSchema } from "./answer-schema-check.ts";
import type { FoundPlugin } from "./discover-plugins.ts";
import { PluginAnswerError, PluginFailedError, PluginReportedError } from "./errors.ts";
import { type PluginAnswer, type PluginRequest, PROTOCOL_VERSION } from "./protocol.ts";
import { runProgram } from "./run-program.ts";

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
    throw new PluginFailedError(key, { reason: `gave no answer within ${seconds} s and was stopped`, cause: error });
  }
  const said = errorMessages(String(error.stdout ?? ""));
  if (said !== undefined) throw new PluginReportedError(key, said);
  const reason =
    error.exitCode === undefined
      ? `cannot be run: ${error.signal ?? error.originalMessage ?? error.shortMessage}`
      : `ended with exit status ${String(error.exitCode)}`;
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

function parseAnswer(key: string, stdout: string): PluginAnswer {
  if (stdout.trim() === "") throw new PluginAnswerError(key, "it printed nothing");
  const answer = parseJson(key, stdout);
  if (matchesAnswerSchema(answer)) return answer as PluginAnswer;
  const [problem] = matchesAnswerSchema.errors ?? [];
  const place = problem?.instancePath.split("/").slice(1).join(".") ?? "";
  throw new PluginAnswerError(
    key,
    `${place === "" ? "it" : place} ${problem?.message ?? "is not as the protocol wants it"}`,
  );
}

function parseJson(key: string, text: string): unknown {
  try {
    return withProtocolKeys(JSON.parse(text));
  } catch {
    const start = text.trim().slice(0, 60).replaceAll(/\s+/gu, " ");
    throw new PluginAnswerError(key, `it is no JSON document; it begins with ${JSON.stringify(start)}`);
  }
}

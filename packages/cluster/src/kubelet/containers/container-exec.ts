import { PassThrough } from "node:stream";

import { messageOf } from "@kubescaffold/k8s";
import type { Container, Pod } from "@kubescaffold/k8s/core/v1";

import type { ContainerConfig } from "./container-config.ts";
import type { ContainerNetwork, ImageDefinition } from "./image-definitions.ts";
import { CommandStartError } from "./probes/probed-container.ts";
import { execErrorOf } from "./start-events.ts";

/** A container that runs commands. */
export interface ExecTarget {
  readonly pod: Pod;
  readonly spec: Container;
  readonly definition: ImageDefinition;
  readonly config: ContainerConfig;
  readonly network: ContainerNetwork;
  /** Aborts when the container stops. */
  readonly signal: AbortSignal;
}

/** Runs a command in a container without a client; undefined if its image runs no commands. Both outputs are one. Fails: {@link CommandStartError}. */
export function runExec(
  container: ExecTarget,
  command: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> | undefined {
  const { exec } = container.definition;
  if (exec === undefined) return undefined;
  return run(container, exec, command);
}

async function run(
  container: ExecTarget,
  exec: NonNullable<ImageDefinition["exec"]>,
  command: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const problem = execErrorOf(command, container.definition);
  if (problem !== undefined) throw new CommandStartError(`rpc error: code = Unknown desc = ${problem}`);
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const stdin = new PassThrough();
  stdin.end();
  const code = await exitCodeOf(
    async () =>
      await exec({
        pod: container.pod,
        container: container.spec.name,
        env: container.config.env,
        files: container.config.files,
        ...container.network,
        command,
        tty: false,
        signal: container.signal,
        stdin,
        stdout: output,
        stderr: output,
        onResize: () => undefined,
      }),
    output,
  );
  return { code, output: Buffer.concat(chunks).toString("utf8") };
}

/** Runs a process and returns its exit code; a thrown error, or a number that is no exit code, is printed on standard error. */
export async function exitCodeOf(
  run: () => Promise<number | void>,
  stderr: { write(text: string): unknown },
): Promise<number> {
  try {
    const code = await run();
    if (typeof code !== "number") return 0;
    if (!Number.isInteger(code)) throw new TypeError(`the exit code must be an integer, not ${String(code)}`);
    return code & 0xff;
  } catch (error) {
    stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

import { execa } from "execa";

import { ControlPlaneStartError, ControlPlaneStopError } from "../errors.ts";

const KEPT_OUTPUT_CHARACTERS = 8_000;

/** How a program is run. */
export interface ProcessOptions {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Shows all of the program's output on this process's standard error. */
  readonly attachOutput?: boolean;
}

/** A program of the control plane that runs until it is stopped; it ends with this process, too. */
export interface ManagedProcess {
  readonly name: string;
  /** Rejects when the program ends without having been asked to; never resolves. */
  readonly unexpectedEnd: Promise<never>;
  /** Returns the end of what the program has printed. */
  readonly output: () => string;
  /**
   * Asks the program to end and waits for it.
   *
   * Fails: {@link ControlPlaneStopError} when it had to be killed.
   */
  readonly stop: (timeoutMs: number) => Promise<void>;
}

/** Starts a program. */
export function startProcess(options: ProcessOptions): ManagedProcess {
  const child = execa(options.file, options.args, {
    env: options.env ?? {},
    stdin: "ignore",
    all: true,
    buffer: false,
    reject: false,
  });
  const output = keepOutput(child.all, options.attachOutput === true);
  let isStopping = false;
  const ended = child.then((result) => result);
  const unexpectedEnd = ended.then((result): never => {
    const why =
      result.exitCode === undefined
        ? (result.shortMessage ?? "it ended")
        : `it ended with status ${String(result.exitCode)}`;
    throw new ControlPlaneStartError(options.name, isStopping ? "it was stopped" : why, { output: output() });
  });
  // Whoever waits for readiness sees the rejection; afterwards nobody needs to.
  unexpectedEnd.catch(() => undefined);
  const stop = async (timeoutMs: number): Promise<void> => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    if (await endsWithin(ended, timeoutMs)) return;
    child.kill("SIGKILL");
    await ended;
    throw new ControlPlaneStopError(options.name, timeoutMs);
  };
  return { name: options.name, unexpectedEnd, output, stop };
}

function keepOutput(stream: NodeJS.ReadableStream, isAttached: boolean): () => string {
  let kept = "";
  stream.on("data", (chunk: Buffer) => {
    kept = (kept + chunk.toString("utf8")).slice(-KEPT_OUTPUT_CHARACTERS);
    if (isAttached) process.stderr.write(chunk);
  });
  return () => kept;
}

async function endsWithin(ended: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

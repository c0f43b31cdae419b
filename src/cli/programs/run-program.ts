import { execa } from "execa";

import type { Invocation } from "../command/command.ts";
import { ExternalProgramError, ProgramNotFoundError } from "../command/errors.ts";
import type { Terminal } from "../command/terminal.ts";
import { uninterrupted } from "./uninterrupted.ts";

/** A program that a command starts, and how a user installs or replaces it. */
export interface Program {
  readonly name: string;
  /** What to do where there is no such program. */
  readonly hint: string;
}

/** How a program runs. */
export interface ProgramOptions {
  readonly invocation: Pick<Invocation, "cwd" | "terminal">;
  /** Standard input; that of this process unless given. */
  readonly input?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end and returns its exit status; undefined when a signal ended it. Its output goes to the terminal of the command.
 *
 * Guarantees: SIGINT, which a terminal sends to both, ends the program and not the command, so that the command can clean up; SIGTERM and SIGHUP are passed on.
 * Fails: {@link ProgramNotFoundError}, {@link ExternalProgramError} when the program cannot be started.
 */
export async function runProgram(
  program: Program,
  args: readonly string[],
  { invocation, input, env = {} }: ProgramOptions,
): Promise<number | undefined> {
  const child = execa(program.name, args, {
    cwd: invocation.cwd,
    env,
    ...(input === undefined ? { stdin: "inherit" } : { input }),
    stdout: invocation.terminal.isProcess === true ? "inherit" : "pipe",
    stderr: invocation.terminal.isProcess === true ? "inherit" : "pipe",
    buffer: false,
    reject: false,
  });
  child.stdout?.on("data", (chunk) => invocation.terminal.writeOut(String(chunk)));
  child.stderr?.on("data", (chunk) => invocation.terminal.writeError(String(chunk)));
  const release = passSignals((signal) => child.kill(signal));
  try {
    const result = await child;
    requireStarted(program, result);
    return result.exitCode;
  } finally {
    release();
  }
}

function passSignals(kill: (signal: NodeJS.Signals) => unknown): () => void {
  const interrupt = (): void => undefined;
  const pass = (signal: NodeJS.Signals): void => void kill(signal);
  process.on("SIGINT", interrupt).on("SIGTERM", pass).on("SIGHUP", pass);
  return () => void process.off("SIGINT", interrupt).off("SIGTERM", pass).off("SIGHUP", pass);
}

/** Runs a program that must succeed. Fails: as {@link runProgram}, and {@link ExternalProgramError} for another status than 0. */
export async function requireProgram(
  program: Program,
  args: readonly string[],
  options: ProgramOptions,
): Promise<void> {
  requireSuccess(program, args, await runProgram(program, args, options));
}

/**
 * Returns the standard output of a program that must succeed; its errors go to the terminal.
 *
 * Fails: as {@link readOutput}, and {@link ExternalProgramError} for another status than 0.
 */
export async function readProgram(
  program: Program,
  args: readonly string[],
  options: Omit<ProgramOptions, "input">,
): Promise<string> {
  const { text, status } = await readOutput(program, args, options);
  requireSuccess(program, args, status);
  return text;
}

/** The standard output of a program that ended, and its exit status. */
export interface ProgramOutput {
  readonly text: string;
  readonly status: number | undefined;
}

/**
 * Returns the standard output of a program that may fail; its errors go to the terminal.
 *
 * Guarantees: SIGINT, SIGTERM, and SIGHUP end the program, and then the command, so that the command can clean up.
 * Fails: {@link InterruptedError}, {@link ProgramNotFoundError}, {@link ExternalProgramError} when the program cannot be started.
 */
export async function readOutput(
  program: Program,
  args: readonly string[],
  { invocation, env = {} }: Omit<ProgramOptions, "input">,
): Promise<ProgramOutput> {
  const child = execa(program.name, args, {
    cwd: invocation.cwd,
    env,
    stdin: "ignore",
    stderr: stderrOf(invocation.terminal),
    stripFinalNewline: false,
    maxBuffer: 256 * 1024 * 1024,
    reject: false,
  });
  return await uninterrupted(
    async () => {
      const { stdout, ...result } = await child;
      requireStarted(program, result);
      return { text: stdout, status: result.exitCode };
    },
    () => child.kill(),
  );
}

// The error streams of other terminals get what was written, line by line.
function stderrOf(terminal: Terminal): "inherit" | ((line: unknown) => Generator<string, void, void>) {
  if (terminal.isProcess === true) return "inherit";
  return function* write(line: unknown): Generator<string, void, void> {
    terminal.writeError(`${String(line)}\n`);
    yield String(line);
  };
}

/** Returns whether a program runs and succeeds; its output is discarded. */
export async function succeeds(
  program: Program,
  args: readonly string[],
  { invocation }: Pick<ProgramOptions, "invocation">,
): Promise<boolean> {
  const { exitCode } = await execa(program.name, args, { cwd: invocation.cwd, stdio: "ignore", reject: false });
  return exitCode === 0;
}

interface Ended {
  readonly code?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly isTerminated: boolean;
  readonly cause?: unknown;
}

function requireStarted({ name, hint }: Program, result: Ended): void {
  if (result.exitCode !== undefined || result.isTerminated) return;
  if (result.code === "ENOENT") throw new ProgramNotFoundError(name, hint);
  throw new ExternalProgramError(`cannot run ${name}: ${result.code ?? String(result.cause)}`, {
    hint,
    cause: result.cause,
  });
}

function requireSuccess({ name }: Program, args: readonly string[], status: number | undefined): void {
  if (status === 0) return;
  const end = status === undefined ? "was terminated by a signal" : `exited with status ${String(status)}`;
  throw new ExternalProgramError(`${[name, ...args].join(" ")} ${end}`, {
    hint:
      status === undefined ? "run the command again" : `fix the error that ${name} printed, then run the command again`,
  });
}

import { execa, type ResultPromise } from "execa";

/** How a program is run. */
export interface RunOptions {
  /** The folder that it runs in. */
  readonly cwd: string;
  /** What it reads on its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
}

const KILL_DELAY_MS = 1000;

// Its own group: a script is given up together with the programs it has started, which would otherwise keep its output open.
const HAS_GROUPS = process.platform !== "win32";

/**
 * Runs a program and returns what it prints; what it prints on standard error goes to ours.
 *
 * Guarantees: once its time is over it is stopped with all that it has started, and so it is when this process ends before it.
 * Fails: ExecaError, `timedOut` where its time was over.
 */
export async function runProgram(program: string, { cwd, input, timeoutMs }: RunOptions): Promise<string> {
  const running = execa(program, [], {
    cwd,
    input,
    stderr: "inherit",
    timeout: timeoutMs,
    forceKillAfterDelay: KILL_DELAY_MS,
    stripFinalNewline: false,
    detached: HAS_GROUPS,
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

type Running = Pick<ResultPromise, "pid" | "stdout">;

function giveUp(running: Running): void {
  kill(running, "SIGTERM");
  setTimeout(() => {
    kill(running, "SIGKILL");
    // What left the group may hold it still.
    running.stdout?.destroy();
  }, KILL_DELAY_MS).unref();
}

function kill({ pid }: Running, signal: NodeJS.Signals): void {
  if (pid === undefined || !HAS_GROUPS) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

// Signals of a terminal reach the group of this process alone.
function stopWithThisProcess(running: Running): () => void {
  const stop = (): void => kill(running, "SIGTERM");
  const passOn = (signal: NodeJS.Signals): void => {
    stop();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once("exit", stop).once("SIGINT", passOn).once("SIGTERM", passOn);
  return () => {
    process.off("exit", stop).off("SIGINT", passOn).off("SIGTERM", passOn);
  };
}

/** The option of `spawn` that starts a program in its own process group, so that {@link signalGroup} reaches its descendants; Windows has no such groups. */
export const OWN_GROUP: { readonly detached: boolean } = { detached: process.platform !== "win32" };

/** A program that was started; its process ID is undefined if it could not be started. */
interface StartedProgram {
  readonly pid?: number | undefined;
  kill(signal: NodeJS.Signals): unknown;
}

/**
 * Sends a signal to a program that was started with {@link OWN_GROUP}, and to all programs that it has started; on Windows to the program alone.
 *
 * Guarantees: does nothing if they have ended.
 */
export function signalGroup(program: StartedProgram, signal: NodeJS.Signals): void {
  if (program.pid === undefined) return;
  try {
    if (OWN_GROUP.detached) process.kill(-program.pid, signal);
    else program.kill(signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // macOS refuses signals to a group whose processes have ended and were not yet waited for.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Reports whether a process of this machine runs, also one of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Waits until the user or the system asks the process to end, or its terminal is closed. A process without a terminal, such as that of `nohup`, keeps
 * running after SIGHUP.
 *
 * The listeners stay: a library that a command starts may watch for signals too, and ends this process at once where it finds no others.
 */
export async function interruption(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
    const isIgnored = ignoresHangup();
    // Without a listener, Node exits even if `nohup` asked for the signal to be ignored.
    process.on("SIGHUP", () => {
      if (isIgnored) return;
      process.once("exit", endBySignal);
      resolve();
    });
  });
}

/** Reports whether the process and those that it starts keep running after SIGHUP, because they have no terminal. */
export function ignoresHangup(): boolean {
  return !process.stdin.isTTY && !process.stdout.isTTY;
}

/** Ends the process that exits after its terminal was closed: Node aborts otherwise, because it cannot restore the modes of the terminal. */
export function endBySignal(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

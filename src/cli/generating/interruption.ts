/**
 * Waits until the user or the system asks the process to end, or its terminal is closed. A process without a terminal, such as that of `nohup`, keeps
 * running when a terminal is closed.
 *
 * The listeners stay: a library that a command starts may watch for signals too, and ends this process at once where it finds no others.
 */
export async function interruption(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
    if (process.stdin.isTTY || process.stdout.isTTY) {
      process.on("SIGHUP", () => {
        process.once("exit", endBySignal);
        resolve();
      });
    }
  });
}

// Otherwise Node aborts at its exit, because it cannot restore the modes of a closed terminal.
function endBySignal(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

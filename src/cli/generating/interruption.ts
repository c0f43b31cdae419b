/**
 * Waits until the user or the system asks the process to end.
 *
 * The listeners stay: a library that a command starts may watch for signals too, and ends this process at once where it finds no others.
 */
export async function interruption(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
}

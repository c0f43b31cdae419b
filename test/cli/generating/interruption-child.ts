// Prints that it waits, and how that ended.
import { interruption } from "../../../src/cli/generating/interruption.ts";

async function main(): Promise<void> {
  const interrupted = interruption();
  // Otherwise nothing is left to do.
  const timer = setInterval(() => undefined, 600_000);
  process.stdout.write("waiting\n");
  await interrupted;
  clearInterval(timer);
  process.stdout.write("interrupted\n");
  process.exitCode = 3;
}

void main();

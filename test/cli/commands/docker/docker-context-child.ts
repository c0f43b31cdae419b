import type { Invocation } from "../../../../src/cli/command/command.ts";
// Packs the packages of the project in the working folder, and prints how that failed.
import { writeDockerContext } from "../../../../src/cli/commands/docker/docker-context.ts";

const terminal = { isInteractive: false, writeOut: () => undefined, writeError: () => undefined };

writeDockerContext({ cwd: process.cwd(), terminal } as unknown as Invocation).catch((error: unknown) => {
  process.stdout.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});

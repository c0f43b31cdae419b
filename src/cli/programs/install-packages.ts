import type { Invocation } from "../command/command.ts";
import { ExternalProgramError, InterruptedError } from "../command/errors.ts";
import { announce, wantsJson } from "../output/report-outcome.ts";
import { uninterrupted } from "./uninterrupted.ts";

/**
 * Runs `npm install` in a project that was just written.
 *
 * Guarantees: SIGINT, SIGTERM, and SIGHUP end npm, and then the step.
 * Fails: {@link ExternalProgramError} when npm does, or is interrupted; the project is complete by then.
 */
export async function installPackages(invocation: Invocation): Promise<void> {
  announce(invocation, "Installing packages: npm install …");
  const { execa } = await import("execa");
  const interruption = new AbortController();
  try {
    await uninterrupted(
      async () =>
        void (await execa("npm", ["install", "--no-audit", "--no-fund"], {
          cwd: invocation.cwd,
          stdout: wantsJson(invocation) ? "ignore" : "inherit",
          stderr: "inherit",
          cancelSignal: interruption.signal,
        })),
      () => interruption.abort(),
    );
  } catch (error) {
    const end = error instanceof InterruptedError ? `was ${error.message}` : "failed";
    throw new ExternalProgramError(`the project was written, but npm install ${end}`, {
      hint: "run `npm install` in the project",
      cause: error,
    });
  }
}

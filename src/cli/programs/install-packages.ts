import type { Invocation } from "../command/command.ts";
import { ExternalProgramError } from "../command/errors.ts";
import { announce, wantsJson } from "../output/report-outcome.ts";

/**
 * Runs `npm install` in a project that was just written.
 *
 * Fails: {@link ExternalProgramError} when npm does; the project is complete by then.
 */
export async function installPackages(invocation: Invocation): Promise<void> {
  announce(invocation, "Installing packages: npm install …");
  const { execa } = await import("execa");
  try {
    await execa("npm", ["install", "--no-audit", "--no-fund"], {
      cwd: invocation.cwd,
      stdout: wantsJson(invocation) ? "ignore" : "inherit",
      stderr: "inherit",
    });
  } catch (error) {
    throw new ExternalProgramError("the project was written, but npm install failed", {
      hint: "run `npm install` in the project, or pass --skip-install",
      cause: error,
    });
  }
}

import { execa } from "execa";

import { ExternalProgramError } from "../../errors.ts";

/** Installs the dependencies of a new project. Fails: `ExternalProgramError`; the project itself is complete by then. */
export async function runNpmInstall({
  cwd,
  isQuiet,
}: {
  readonly cwd: string;
  readonly isQuiet: boolean;
}): Promise<void> {
  try {
    await execa("npm", ["install", "--no-audit", "--no-fund"], {
      cwd,
      stdout: isQuiet ? "ignore" : "inherit",
      stderr: "inherit",
    });
  } catch (error) {
    throw new ExternalProgramError("the project was written, but npm install did not succeed", {
      hint: "run `npm install` in the project; --skip-install leaves this step out",
      cause: error,
    });
  }
}

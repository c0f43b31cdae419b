import {
  NPM,
  type PackageManager,
  type PackageManagerName,
  readPackageManager,
} from "../../project/package-manager.ts";
import type { Invocation } from "../command/command.ts";
import { ExternalProgramError, InterruptedError, ProgramNotFoundError } from "../command/errors.ts";
import { announce } from "../output/report-outcome.ts";
import { uninterrupted } from "./uninterrupted.ts";

/**
 * Installs the packages of a project that was just written, with its package manager.
 *
 * Guarantees: SIGINT, SIGTERM, and SIGHUP end the program, and then the step.
 * Fails: {@link ExternalProgramError} when the program does, or is interrupted; the project is complete by then.
 */
export async function installPackages(invocation: Invocation): Promise<void> {
  const { name } = invocation.program.packageManager ?? NPM;
  announce(invocation, `Installing packages: ${name} install …`);
  const { execa } = await import("execa");
  const interruption = new AbortController();
  try {
    await uninterrupted(
      async () =>
        void (await execa(name, ["install", ...(name === "npm" ? ["--no-audit", "--no-fund"] : [])], {
          cwd: invocation.cwd,
          stdout: invocation.printsJson ? "ignore" : "inherit",
          stderr: "inherit",
          cancelSignal: interruption.signal,
        })),
      () => interruption.abort(),
    );
  } catch (error) {
    const end = error instanceof InterruptedError ? `was ${error.message}` : "failed";
    throw new ExternalProgramError(`the project was written, but ${name} install ${end}`, {
      hint: `run \`${name} install\` in the project`,
      cause: error,
    });
  }
}

/**
 * Returns a package manager with the version that is installed, which other machines then use, too; npm is that of Node.js.
 *
 * Fails: {@link ProgramNotFoundError}, {@link ExternalProgramError} when the program does not print its version.
 */
export async function requirePackageManager(
  name: PackageManagerName,
  { cwd }: Pick<Invocation, "cwd">,
): Promise<PackageManager> {
  if (name === "npm") return NPM;
  const { execa } = await import("execa");
  const { exitCode, stdout, shortMessage } = await execa(name, ["--version"], { cwd, stdin: "ignore", reject: false });
  if (exitCode === undefined) throw new ProgramNotFoundError(name, HOW_TO_INSTALL[name]);
  const found = readPackageManager(`${name}@${stdout?.trim() ?? ""}`);
  if (exitCode === 0 && found?.version !== undefined) return found;
  throw new ExternalProgramError(`cannot use ${name}: it does not print its version: ${shortMessage ?? stdout ?? ""}`, {
    hint: `check that \`${name} --version\` works; nothing was written`,
  });
}

const COREPACK = "enable it with `corepack enable`";
const OTHERS = "or pass --package-manager with another one; nothing was written";

const HOW_TO_INSTALL: Readonly<Record<Exclude<PackageManagerName, "npm">, string>> = {
  pnpm: `install pnpm, ${COREPACK}, ${OTHERS}`,
  yarn: `install yarn, ${COREPACK}, ${OTHERS}`,
  bun: `install bun, ${OTHERS}`,
};

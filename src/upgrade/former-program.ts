import { readdirSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";
import { execa } from "execa";

import { targetKindSync } from "../machinery/disk.ts";
import { EXACT_VERSION_RULE, readExactVersion } from "../project/exact-version.ts";
import { FormerProgramError } from "./errors.ts";

/** Runs `alpha generate` of another version of the program. */
export type FormerRun = (request: {
  readonly version: string;
  /** The packed program; npm finds it by its version when it is not given. */
  readonly tarball: string | undefined;
  readonly input: string;
  readonly output: string;
  /** Stops the programs that it runs. */
  readonly signal: AbortSignal;
}) => Promise<void>;

/**
 * Installs another version of this program beside the output folder, and lets it make a project again.
 *
 * npm takes it from its cache where it can; of a tarball, the packages packed with it are expected in its folder.
 *
 * Guarantees: only an exact version reaches npm; no script of a package runs; the settings of the project for npm have no effect.
 * Fails: {@link FormerProgramError}.
 */
export const runFormerProgram: FormerRun = async ({ version, tarball, input, output, signal }) => {
  const specs = tarball === undefined ? [`kubescaffold@${requireExact(version)}`] : packedWith(requireTarball(tarball));
  const folder = `${output}-program`;
  makeFolder(folder);
  const words = [
    "install",
    "--prefix",
    folder,
    "--prefer-offline",
    "--ignore-scripts",
    "--no-save",
    "--no-audit",
    "--no-fund",
  ];
  const env = npmEnvironment(process.env);
  await run("npm", [...words, "--", ...specs], { cwd: folder, env, signal, what: `install version ${version}` });
  const program = path.join(folder, "node_modules", "kubescaffold", "dist", "scaffold.cjs");
  await run(
    process.execPath,
    [program, "alpha", "generate", "--make=false", "--input-dir", input, "--output-dir", output],
    { cwd: folder, env, signal, what: `run version ${version}` },
  );
};

// npm reads other texts as tags, ranges, paths, addresses, or repositories.
function requireExact(version: string): string {
  const exact = readExactVersion(version);
  if (exact !== undefined) return exact;
  throw new FormerProgramError(
    `cannot install version ${JSON.stringify(version)} of the program: ${EXACT_VERSION_RULE}`,
    {
      hint: "write the version that scaffolded the project into PROJECT, or pass --from-version; nothing was installed",
    },
  );
}

/**
 * Returns the environment for npm without what npm itself, started in the project, read from the project's `.npmrc`.
 *
 * npm hands its settings on in lower case, the registry among them. Those of the user come from `~/.npmrc`, or are in upper case.
 */
function npmEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env["npm_execpath"] === undefined) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("npm_config_")));
}

function requireTarball(tarball: string): string {
  if (targetKindSync(tarball) === "file") return tarball;
  throw new FormerProgramError(`cannot install the program of ${tarball}: no such file`, {
    hint: "pass --from-tarball, or --to-tarball, with a tarball from `npm pack`; nothing was changed",
  });
}

function packedWith(tarball: string): readonly string[] {
  const folder = path.dirname(tarball);
  const end = /-\d[^/\\]*\.tgz$/u.exec(tarball)?.[0] ?? ".tgz";
  const beside = readdirSync(folder).filter((name) => /^kubescaffold-[a-z]/u.test(name) && name.endsWith(end));
  return [tarball, ...beside.map((name) => path.join(folder, name))];
}

async function run(
  program: string,
  words: readonly string[],
  {
    cwd,
    env,
    signal,
    what,
  }: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
    readonly what: string;
  },
): Promise<void> {
  const { failed, stderr, stdout } = await execa(program, words, {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    cancelSignal: signal,
  });
  if (!failed) return;
  const said = (stderr || stdout).trim().split("\n").slice(-5).join("\n  ");
  throw new FormerProgramError(`cannot ${what} of the program:\n  ${said}`, {
    hint: "pass --from-tarball, or --to-tarball, with the packed program of that version; nothing was changed",
  });
}

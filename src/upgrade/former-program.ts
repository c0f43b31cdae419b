import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";

import { execa } from "execa";

import { targetKindSync } from "../machinery/disk.ts";
import { FormerProgramError } from "./errors.ts";

/** Runs `alpha generate` of another version of the program. */
export type FormerRun = (request: {
  readonly version: string;
  /** The packed program; npm finds it by its version when it is not given. */
  readonly tarball: string | undefined;
  readonly input: string;
  readonly output: string;
}) => Promise<void>;

/**
 * Installs another version of this program beside the output folder, and lets it make a project again.
 *
 * npm takes it from its cache where it can; of a tarball, the packages packed with it are expected in its folder. Fails: {@link FormerProgramError}.
 */
export const runFormerProgram: FormerRun = async ({ version, tarball, input, output }) => {
  if (tarball !== undefined) requireTarball(tarball);
  const folder = `${output}-program`;
  mkdirSync(folder, { recursive: true });
  const specs = tarball === undefined ? [`kubescaffold@${version}`] : packedWith(tarball);
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
  await run("npm", [...words, ...specs], { cwd: folder, what: `install version ${version}` });
  const program = path.join(folder, "node_modules", "kubescaffold", "dist", "scaffold.js");
  await run(
    process.execPath,
    [program, "alpha", "generate", "--make=false", "--input-dir", input, "--output-dir", output],
    { cwd: folder, what: `run version ${version}` },
  );
};

function requireTarball(tarball: string): void {
  if (targetKindSync(tarball) === "file") return;
  throw new FormerProgramError(`cannot install the program of ${tarball}: there is no such file`, {
    hint: "pass --from-tarball, or --to-tarball, with what `npm pack` made of the program; nothing was changed",
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
  { cwd, what }: { readonly cwd: string; readonly what: string },
): Promise<void> {
  const { failed, stderr, stdout } = await execa(program, words, { cwd, reject: false });
  if (!failed) return;
  const said = (stderr || stdout).trim().split("\n").slice(-5).join("\n  ");
  throw new FormerProgramError(`cannot ${what} of the program:\n  ${said}`, {
    hint: "pass --from-tarball, or --to-tarball, with the packed program of that version; nothing was changed",
  });
}

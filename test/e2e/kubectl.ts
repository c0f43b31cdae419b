import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

import { type ProgramResult, runProgram } from "../support/run-program.ts";

/** Returns the path of the kubectl of the real control plane, or undefined where that has not been built. */
export function findKubectl(): string | undefined {
  const name = process.platform === "win32" ? "kubectl.exe" : "kubectl";
  const folders = [process.env["KUBEBUILDER_ASSETS"], controlPlaneFolder(RECORDED_VERSION)];
  return folders
    .filter((folder) => folder !== undefined)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** Runs one kubectl after another in a project, against the server of a kubeconfig. */
export class Kubectl {
  readonly #program: string;
  readonly #options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

  constructor(program: string, project: string, kubeconfig: string) {
    this.#program = program;
    // What kubectl learns of the server it keeps in its home folder.
    const home = path.join(project, ".kubescaffold", "kubectl");
    this.#options = { cwd: project, env: { KUBECONFIG: kubeconfig, HOME: home, USERPROFILE: home } };
  }

  /** Runs a command, written as one text with spaces between its words. */
  async run(line: string): Promise<ProgramResult> {
    return await runProgram(this.#program, line.split(" "), this.#options);
  }
}

/** The version of the programs that are built by default, and whose output is recorded. */
const RECORDED_VERSION = "v1.35.4";

/** Returns the folder of the programs of a version, as scripts/build-control-plane.mjs names it. */
export function controlPlaneFolder(version: string): string {
  const home = homedir();
  const cache =
    process.env["XDG_CACHE_HOME"] ??
    (home === "" ? path.join(tmpdir(), "kubescaffold-cache") : path.join(home, ".cache"));
  return path.join(cache, "kubescaffold", "control-plane", version);
}

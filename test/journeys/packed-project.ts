import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { readSource, ROOT } from "../architecture/source-files.ts";
import { type ProgramResult, runProgram, runSuccessfully } from "../support/run-program.ts";

/** The packages, installed from their tarballs into an empty folder, in which projects are created. */
export class PackedPackages {
  readonly folder: string = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-journeys-")));

  /** Packs what was built, and installs it. */
  async install(): Promise<void> {
    const tarballs = this.#tarballs;
    const script = path.join(ROOT, "scripts", "pack-packages.mjs");
    await runSuccessfully(process.execPath, [script, tarballs], { cwd: ROOT });
    const files = readdirSync(tarballs).map((name) => path.join(tarballs, name));
    await runSuccessfully("npm", ["install", ...files], { cwd: this.folder });
  }

  get #tarballs(): string {
    return path.join(this.folder, "tarballs");
  }

  /** Returns the specs of the tarballs, by package name, for a package manager that takes packages of packages from the registry. */
  specs(): Readonly<Record<string, string>> {
    const entries = readdirSync(this.#tarballs).map((file) => {
      const name = file.replace(/-\d.*$/u, "").replace(/^kubescaffold-/u, "@kubescaffold/");
      return [name, `file:${path.join(this.#tarballs, file)}`] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Creates a project whose dependencies are installed, for others to link to. */
  async installedProject(): Promise<PackedProject> {
    const project = this.project("installed");
    await project.succeed("npx kubescaffold init --domain demo");
    return project;
  }

  /** Returns a project that does not exist yet; with `modules`, it has those of another project. */
  project(name: string, modules?: PackedProject): PackedProject {
    const root = path.join(this.folder, name);
    mkdirSync(root);
    if (modules !== undefined) symlinkSync(path.join(modules.root, "node_modules"), path.join(root, "node_modules"));
    return new PackedProject(root, modules === undefined);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A project in the folder of the packages, whose user types commands in a shell. */
export class PackedProject {
  readonly root: string;
  readonly #installs: boolean;

  constructor(root: string, installs: boolean) {
    this.root = root;
    this.#installs = installs;
  }

  /** Runs a line in a shell, by default in the folder of the project. */
  async run(line: string, { folder = "", env = {} } = {}): Promise<ProgramResult> {
    return await runProgram("bash", ["-c", line], { cwd: path.join(this.root, folder), env });
  }

  /** Runs a line that has to succeed, and returns its output. */
  async succeed(line: string, where: { readonly folder?: string } = {}): Promise<string> {
    const { status, output } = await this.run(line, where);
    if (status !== 0) throw new Error(`${line} ended with status ${String(status)}:\n${output}`);
    return output;
  }

  /** Runs the commands of an example's README, and adds the code that its user has written. */
  async follow(example: string): Promise<void> {
    const readme = readSource(`examples/${example}/README.md`);
    const block = /```sh\n(?<commands> *npx kubescaffold init[^`]*)```/u.exec(readme)?.groups?.["commands"] ?? "";
    for (const line of block.split("\n").map((each) => each.trim())) {
      if (line === "" || (line.startsWith("npm install") && !this.#installs)) continue;
      await this.succeed(line.startsWith("npx kubescaffold init") && !this.#installs ? `${line} --skip-install` : line);
    }
    for (const folder of ["api", "internal", "config/samples", "cmd"]) {
      const source = path.join(ROOT, "examples", example, folder);
      if (existsSync(source)) cpSync(source, path.join(this.root, folder), { recursive: true });
    }
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), "utf8");
  }

  has(file: string): boolean {
    return existsSync(path.join(this.root, file));
  }
}

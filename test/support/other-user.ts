import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import process from "node:process";

/** The user `nobody`. */
const OTHER = 65_534;

/** Reports whether this process may run programs as another user, who can run Node and read the list of processes. */
export const hasOtherUser: boolean = process.platform === "linux" && process.getuid?.() === 0 && canRunNode();

function canRunNode(): boolean {
  try {
    accessSync(process.execPath, constants.X_OK);
    return runAsOther("process.stdout.write('ok')") === "ok";
  } catch {
    return false;
  }
}

/** The view that another user of the machine has of the programs of this one. */
export interface OthersView {
  /** The arguments of all programs. */
  readonly arguments: string;
  /** The environments that the user can read. */
  readonly environments: string;
  /** The number of environments that the user cannot read. */
  readonly closedEnvironments: number;
  /** For each path, its content, the names in it, or the code of the error. */
  readonly paths: Readonly<Record<string, string>>;
}

const SPY = `
const fs = require("node:fs");
const read = (path) => { try { return fs.statSync(path).isDirectory() ? fs.readdirSync(path).join() : fs.readFileSync(path, "latin1"); } catch (error) { return error.code; } };
const processes = fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((name) => ({
  words: read("/proc/" + name + "/cmdline"),
  environment: read("/proc/" + name + "/environ"),
}));
process.stdout.write(JSON.stringify({
  arguments: processes.map(({ words }) => words).join("\\n"),
  environments: processes.map(({ environment }) => environment).filter((each) => !/^E[A-Z]+$/.test(each)).join("\\n"),
  closedEnvironments: processes.filter(({ environment }) => environment === "EACCES").length,
  paths: Object.fromEntries(process.argv.slice(1).map((path) => [path, read(path)])),
}));
`;

/** The arguments of Node, as literals, for programs that show themselves to the other user: their working folder is the root, and paths follow. */
export const OTHER_USER_PROGRAM: string = ["--eval", SPY, "--"].map((each) => JSON.stringify(each)).join(", ");

/** Returns what the other user reads at each path: its content, the names in it, or the code of the error. */
export function readAsOther(paths: readonly string[]): OthersView["paths"] {
  return (JSON.parse(runAsOther(SPY, paths)) as OthersView).paths;
}

function runAsOther(source: string, words: readonly string[] = []): string {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, ["--eval", source, "--", ...words], {
    uid: OTHER,
    gid: OTHER,
    cwd: "/",
    env: {},
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`the program of the other user failed: ${stderr}`, { cause: error });
  return stdout;
}

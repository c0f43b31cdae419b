import { isRecord } from "@kubescaffold/platform";

import { BASE_SECTION, baseSection, PROJECT_FILE, type ProjectConfig, withBaseSection } from "./project-config.ts";

/** The names of the package managers that projects can have. */
export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;

/** The name of a package manager. */
export type PackageManagerName = (typeof PACKAGE_MANAGERS)[number];

/** The program that installs the packages of a project, and runs its scripts. */
export interface PackageManager {
  readonly name: PackageManagerName;
  /** The exact version; none if it is not known, as for npm, which is part of Node.js. */
  readonly version?: string;
}

/** npm, which is part of Node.js. */
export const NPM: PackageManager = { name: "npm" };

/** The lock files of each package manager, the one that it writes first. */
export const LOCK_FILES: Readonly<Record<PackageManagerName, readonly string[]>> = {
  npm: ["package-lock.json", "npm-shrinkwrap.json"],
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  bun: ["bun.lock", "bun.lockb"],
};

/** Where the package manager of a folder is looked for. */
interface Evidence {
  readonly read: (file: string) => string | undefined;
  readonly exists: (file: string) => boolean;
  /** The variable `npm_config_user_agent`, which package managers set for the programs that they start. */
  readonly userAgent?: string | undefined;
}

/**
 * Returns the package manager of a folder: that of the field `packageManager` in package.json, that of the only kind of lock file, that which PROJECT
 * records, that which started the program, or npm.
 */
export function detectPackageManager({ read, exists, userAgent = "" }: Evidence): PackageManager {
  const recorded = recordIn(read(PROJECT_FILE));
  const found =
    fieldIn(read("package.json")) ??
    lockedBy(exists) ??
    recorded ??
    managerIn(/^(?<name>[a-z]+)\/(?<version>\S+)/u.exec(userAgent)?.groups) ??
    NPM;
  return found.version === undefined && found.name === recorded?.name ? recorded : found;
}

function fieldIn(manifest: string | undefined): PackageManager | undefined {
  try {
    const parsed: unknown = JSON.parse((manifest ?? "").replace(/^\uFEFF/u, ""));
    return isRecord(parsed) ? readPackageManager(parsed["packageManager"]) : undefined;
  } catch {
    return undefined;
  }
}

function lockedBy(exists: Evidence["exists"]): PackageManager | undefined {
  const locked = PACKAGE_MANAGERS.filter((name) => LOCK_FILES[name].some((file) => exists(file)));
  const [only] = locked;
  return locked.length === 1 && only !== undefined ? { name: only } : undefined;
}

function recordIn(text: string | undefined): PackageManager | undefined {
  // Most projects have no record, and need no parser for it.
  if (text?.includes(RECORD) !== true || !text.includes(BASE_SECTION)) return undefined;
  const record = new RegExp(String.raw`^ +${RECORD}: *["']?(?<value>[^\s"']+)`, "mu").exec(text)?.groups?.["value"];
  return readPackageManager(record);
}

/** Returns the package manager of a value such as `pnpm@12.0.0`, as in package.json; a hash behind the version is omitted. */
export function readPackageManager(value: unknown): PackageManager | undefined {
  if (typeof value !== "string") return undefined;
  const [name, version] = value.split("@", 2);
  return managerIn({ name, version: version?.split("+", 1)[0] });
}

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/u;

function managerIn(parts: Readonly<Record<string, string | undefined>> | undefined): PackageManager | undefined {
  const name = PACKAGE_MANAGERS.find((each) => each === parts?.["name"]);
  const version = parts?.["version"];
  if (name === undefined) return undefined;
  return version === undefined || !EXACT.test(version) ? { name } : { name, version };
}

/** Returns a package manager as package.json and PROJECT record it: `pnpm@12.0.0`. */
export function printPackageManager({ name, version }: PackageManager): string {
  return version === undefined ? name : `${name}@${version}`;
}

const RECORD = "packageManager";

/** Returns the package manager that a project was scaffolded for. */
export function packageManagerOf(project: ProjectConfig): PackageManager {
  return readPackageManager(baseSection(project)[RECORD]) ?? NPM;
}

/** Returns the project with a record of its package manager; npm is the default, and not recorded. */
export function withPackageManager(project: ProjectConfig, manager: PackageManager): ProjectConfig {
  const { [RECORD]: _, ...others } = baseSection(project);
  return withBaseSection(
    project,
    manager.name === "npm" ? others : { ...others, [RECORD]: printPackageManager(manager) },
  );
}

/** The commands of a package manager, as templates and messages spell them. */
export interface ManagerWords {
  /** The name of the program. */
  readonly name: string;
  /** The name with the version: the field `packageManager` of package.json. */
  readonly field: string;
  /** The exact version; empty if it is not known. */
  readonly version: string;
  /** The name of the lock file. */
  readonly lockFile: string;
  /** Runs a script, whose name follows. */
  readonly run: string;
  /** Runs a script, and prints only its output. */
  readonly quietRun: string;
  /** The arguments of `quietRun`, as in a list of strings. */
  readonly quietArguments: string;
  /** The start of a call in a script: the program of `exec`, and the start of the list of its arguments. */
  readonly execArguments: string;
  /** Comes between the name of a script and its flags. */
  readonly separator: string;
  /** Runs the tests with what has to run before them. */
  readonly test: string;
  /** Completes `test` to the width of a column. */
  readonly testGap: string;
  /** Runs the tests alone. */
  readonly testOnly: string;
  /** Installs all packages. */
  readonly install: string;
  /** Installs exactly the packages of the lock file. */
  readonly cleanInstall: string;
  /** Installs without a lock file, or with one that differs. */
  readonly freeInstall: string;
  /** Adds packages, whose names follow. */
  readonly add: string;
  /** Runs a program of an installed package. */
  readonly exec: string;
  /** Runs a program of a package that is not installed. */
  readonly dlx: string;
  /** Writes the lock file, and installs nothing. */
  readonly lock: string;
  /** The manager whose packages GitHub's Dependabot updates. */
  readonly ecosystem: string;
  /** The variable of the Makefile with `quietRun`. */
  readonly runVariable: string;
  /** Is npm. */
  readonly isNpm: boolean;
  /** Is pnpm. */
  readonly isPnpm: boolean;
  /** Is yarn, of any version. */
  readonly isYarn: boolean;
  /** Is a version of yarn since 2, with settings in `.yarnrc.yml`. */
  readonly isModernYarn: boolean;
  /** Is bun. */
  readonly isBun: boolean;
  /** Node.js installs the manager with corepack. */
  readonly usesCorepack: boolean;
}

/** Returns the commands of a package manager. */
export function wordsOf(manager: PackageManager): ManagerWords {
  const { name, version = "" } = manager;
  const commands = COMMANDS[isClassic(manager) ? "classic" : name];
  return {
    ...commands,
    name,
    version,
    field: printPackageManager(manager),
    lockFile: LOCK_FILES[name][0] ?? "",
    quietArguments: quoted(commands.quietRun.split(" ").slice(1)),
    execArguments: execArguments(commands.exec.split(" ")),
    testGap: " ".repeat(TEST_COLUMN + name.length - "npm".length - commands.test.length),
    ecosystem: name === "bun" ? "bun" : "npm",
    runVariable: `${name.toUpperCase()}_RUN`,
    isNpm: name === "npm",
    isPnpm: name === "pnpm",
    isYarn: name === "yarn",
    isModernYarn: name === "yarn" && !isClassic(manager),
    isBun: name === "bun",
    usesCorepack: name === "pnpm" || name === "yarn",
  };
}

function execArguments([program = "", ...words]: readonly string[]): string {
  return `"${program}", [${words.map((word) => `${quoted([word])}, `).join("")}`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}

const TEST_COLUMN = "npm run manifests   ".length;

// A folder with a lock file alone does not tell the version; the commands of newer ones are the same, but for two.
function isClassic({ name, version }: PackageManager): boolean {
  return name === "yarn" && version?.startsWith("1.") === true;
}

type Commands = Pick<
  ManagerWords,
  | "run"
  | "quietRun"
  | "separator"
  | "test"
  | "testOnly"
  | "install"
  | "cleanInstall"
  | "freeInstall"
  | "add"
  | "exec"
  | "dlx"
  | "lock"
>;

const YARN: Commands = {
  run: "yarn run",
  quietRun: "yarn run",
  separator: " ",
  test: "yarn test",
  testOnly: "yarn run scaffold test",
  install: "yarn install",
  cleanInstall: "yarn install --immutable",
  freeInstall: "yarn install --no-immutable",
  add: "yarn add",
  exec: "yarn",
  dlx: "yarn dlx",
  lock: "yarn install --mode=update-lockfile",
};

const COMMANDS: Readonly<Record<PackageManager["name"] | "classic", Commands>> = {
  npm: {
    run: "npm run",
    quietRun: "npm run --silent",
    separator: " -- ",
    test: "npm test",
    testOnly: "npm test --ignore-scripts",
    install: "npm install",
    cleanInstall: "npm ci",
    freeInstall: "npm install",
    add: "npm install",
    exec: "npx",
    dlx: "npx",
    lock: "npm install --package-lock-only --ignore-scripts --no-audit --no-fund",
  },
  pnpm: {
    run: "pnpm run",
    quietRun: "pnpm --silent run",
    separator: " ",
    test: "pnpm test",
    testOnly: "pnpm exec scaffold test",
    install: "pnpm install",
    cleanInstall: "pnpm install --frozen-lockfile",
    freeInstall: "pnpm install --no-frozen-lockfile",
    add: "pnpm add",
    exec: "pnpm exec",
    dlx: "pnpm dlx",
    lock: "pnpm install --lockfile-only --ignore-scripts",
  },
  yarn: YARN,
  classic: {
    ...YARN,
    quietRun: "yarn run --silent",
    cleanInstall: "yarn install --frozen-lockfile",
    freeInstall: "yarn install",
    // It has no such command; Node.js comes with one.
    dlx: "npx",
    lock: "yarn install --ignore-scripts",
  },
  bun: {
    run: "bun run",
    quietRun: "bun run --silent",
    separator: " ",
    test: "bun run test",
    testOnly: "bunx scaffold test",
    install: "bun install",
    cleanInstall: "bun install --frozen-lockfile",
    freeInstall: "bun install",
    add: "bun add",
    exec: "bunx",
    dlx: "bunx",
    lock: "bun install --lockfile-only --ignore-scripts",
  },
};

// Messages are written with the commands of npm.
const NPM_COMMAND =
  /\bnpm run(?<quiet> --silent)? (?<script>[\w:-]+)(?<flags> -- (?=-))?|(?<start>^|`)npm install(?= @?[a-z])|\bnpm (?<verb>test|install|ci)\b|\bnpx (?<own>kubescaffold\b)?/gmu;

/** Returns a text with the commands of npm in it replaced by those of another package manager. */
export function withManager(text: string, manager: PackageManager): string {
  if (manager.name === "npm") return text;
  const words = wordsOf(manager);
  return text.replaceAll(NPM_COMMAND, (...match) => commandOf(words, match.at(-1) as Command));
}

type Command = Readonly<Record<"quiet" | "script" | "flags" | "start" | "verb" | "own", string | undefined>>;

function commandOf(words: ManagerWords, { quiet, script, flags, start, verb, own }: Command): string {
  if (verb === "test") return words.test;
  if (verb !== undefined) return verb === "ci" ? words.cleanInstall : words.install;
  if (start !== undefined) return `${start}${words.add}`;
  if (own !== undefined) return `${words.dlx} ${own}`;
  if (script !== undefined) {
    const run = quiet === undefined ? words.run : words.quietRun;
    return `${run} ${script}${flags === undefined ? "" : words.separator}`;
  }
  return `${words.exec} `;
}

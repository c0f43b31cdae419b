import { posix } from "node:path";

import { type Flag, type PluginCommand, quotedText, type ScaffoldContext } from "kubescaffold/plugin";

import { ChartFolderError, EmptyFlagError, ManifestsError } from "./chart/errors.ts";

// What `npm run build-installer` writes of config/default; its chart is generated from config/default itself.
const INSTALLER = "dist/install.yaml";
const OUTPUT = "dist";

/** How a chart is made. */
export interface ChartOptions {
  /** The file with the manifests; nothing for config/default. */
  readonly bundle: string | undefined;
  /** The folder of the chart. */
  readonly folder: string;
  /** Writes over what is the user's, all but Chart.yaml. */
  readonly force: boolean;
  /** What PROJECT keeps, by upstream's keys. */
  readonly stored: { readonly manifests: string; readonly output: string };
}

/** Returns the flags of the plugin. */
export function chartFlags(command: PluginCommand): readonly Flag[] {
  const output: Flag = {
    name: "output-dir",
    kind: "string",
    isPath: true,
    help: "folder of the project in which to create the chart folder",
    default: OUTPUT,
  };
  if (command !== "edit") return [output];
  return [
    {
      name: "manifests",
      kind: "string",
      isPath: true,
      help: `input manifests of the chart; ${INSTALLER} builds config/default`,
      default: INSTALLER,
    },
    output,
    {
      name: "force",
      kind: "boolean",
      help: "overwrite all chart files except Chart.yaml",
      default: "false",
    },
    {
      name: "make",
      kind: "boolean",
      help: "generate the manifests first",
      default: "true",
    },
  ];
}

/** Returns what is asked for: by flags, else by what PROJECT keeps, else as upstream does. Fails: {@link ChartFolderError}, {@link EmptyFlagError}, {@link ManifestsError}. */
export function chartOptions({ flags, configuration }: ScaffoldContext): ChartOptions {
  const kept = (configuration ?? {}) as Readonly<Record<string, unknown>>;
  const choose = (flag: string, key: string, standard: string): string =>
    [flags[flag], kept[key]].find((each): each is string => typeof each === "string" && each !== "") ?? standard;
  for (const name of ["output-dir", "manifests"]) refuseEmpty(name, flags[name]);
  const manifests = bundlePath(choose("manifests", "manifests", INSTALLER));
  const output = folderOf(choose("output-dir", "output", OUTPUT));
  return {
    bundle: manifests === INSTALLER ? undefined : manifests,
    folder: posix.join(output, "chart"),
    force: flags["force"] === true,
    stored: { manifests, output },
  };
}

/** Returns the folder of the chart that PROJECT records. Fails: {@link ChartFolderError}. */
export function chartFolder(configuration: unknown): string {
  const { output } = (configuration ?? {}) as { readonly output?: unknown };
  return posix.join(folderOf(typeof output === "string" && output !== "" ? output : OUTPUT), "chart");
}

/** Returns what PROJECT recorded, read from the Makefile of a project; the input of the chart leaves no trace, and is the usual one. */
export function restoredOptions(makefile = ""): ChartOptions["stored"] | undefined {
  const folder = /^HELM_CHART_DIR \?= (?<folder>\S+)\/chart$/mu.exec(makefile)?.groups?.["folder"];
  return folder === undefined ? undefined : { manifests: INSTALLER, output: folder };
}

function refuseEmpty(name: string, value: unknown): void {
  if (typeof value !== "string" || value.trim() !== "") return;
  throw new EmptyFlagError(name);
}

function bundlePath(given: string): string {
  const file = posix.normalize(given.replaceAll("\\", "/"));
  if (!isAbsolute(file) && !/^\.\.(?:\/|$)/u.test(file)) return file;
  throw new ManifestsError(`cannot create a chart from ${given}: it is not a path relative to the project`, {
    hint: "pass --manifests with a path relative to the project, such as bundle.yaml",
  });
}

function isAbsolute(given: string): boolean {
  return given.startsWith("/") || /^[a-z]:/iu.test(given);
}

function folderOf(given: string): string {
  const folder = posix.normalize(given.replaceAll("\\", "/")).replace(/\/$/u, "");
  const isOutside = folder === ".." || folder.startsWith("../") || isAbsolute(folder);
  // The folder is in a Makefile, a workflow and a script.
  if (!isOutside && /^[\w.@+/-]+$/u.test(folder)) return folder;
  const problem = isOutside
    ? "it is not a folder of the project"
    : "it has characters other than letters, digits, dots, dashes, and slashes";
  throw new ChartFolderError(`cannot write a chart to ${quotedText(given)}: ${problem}`, {
    hint: "pass --output-dir with a path in the project, such as charts",
  });
}

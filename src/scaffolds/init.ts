import { SUPPORTED_MINORS } from "@kubescaffold/k8s";

import {
  BOILERPLATE_FILE,
  certificateIssuerOf,
  type InitOptions,
  leaderElectionIdOf,
  type Scaffold,
  type ScaffoldContext,
} from "../plugin/index.ts";
import { boilerplateOf, commentText } from "./resource-values.ts";

const PACKAGE = "package.json";

const RUNTIME_PACKAGES = [
  "@kubescaffold/platform",
  "@kubescaffold/k8s",
  "@kubescaffold/schema",
  "@kubescaffold/runtime",
];

// The tools of a new project, each in the version this program is tested with.
const TOOLS: Readonly<Record<string, string>> = {
  "@types/node": "^20.19.43",
  esbuild: "^0.28.2",
  oxfmt: "0.75.0",
  oxlint: "~1.89.0",
  "oxlint-tsgolint": "7.0.2004",
  tsx: "^4.23.15",
  typescript: "~7.0.2",
  vitest: "^4.1.12",
};

/** Writes a project without an API: the program, its tests and build, and the files around them. */
export const init: Scaffold<InitOptions> = (context, { boilerplate, packages }) => {
  const { tree, project, pm, renderTemplates } = context;
  if (boilerplate !== "") tree.create(BOILERPLATE_FILE, boilerplate, { ifExists: "skip" });
  const values = {
    boilerplate: boilerplateOf(tree),
    boilerplateText: commentText(boilerplate),
    hasLicense: boilerplate !== "",
    projectName: project.projectName ?? "",
    repo: project.repo ?? "",
    leaderElectionId: leaderElectionIdOf(project),
    isNamespaced: project.namespaced === true,
    kubernetesMinors: SUPPORTED_MINORS,
    isSelfManaged: certificateIssuerOf(project) === "self-managed",
    dependencies: specsOf(packages, (name) => RUNTIME_PACKAGES.includes(name)),
    devDependencies: specsOf({ ...packages, ...TOOLS }, (name) => !RUNTIME_PACKAGES.includes(name)),
  };
  const isMerged = addToPackage(context, values);
  const { isPnpm, isModernYarn } = pm;
  const omitted = [
    ...(isMerged ? [PACKAGE] : []),
    ...(isPnpm ? [] : ["pnpm-workspace.yaml"]),
    ...(isModernYarn ? [] : [".yarnrc.yml"]),
  ];
  renderTemplates("init", { ifExists: "skip", values, without: (path) => omitted.includes(path) });
};

// Whoever has run `npm init`, or installed this program, has a package.json before there is a project.
function addToPackage(
  { tree, renderLines, note }: ScaffoldContext,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const present = tree.read(PACKAGE);
  if (present === undefined) return false;
  const merged = mergePackage(present, renderLines(`init/${PACKAGE}`, values).join("\n"));
  if (merged === undefined) return false;
  tree.update(PACKAGE, () => merged.content);
  note(`${PACKAGE} exists: missing scripts and dependencies, and the type "module", were added.`);
  if (merged.keptScripts.length > 0) {
    note(
      `Its scripts ${merged.keptScripts.join(", ")} were not changed: \`npx kubescaffold init --dry-run\` in an empty folder prints the defaults.`,
    );
  }
  return true;
}

function specsOf(
  packages: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean,
): readonly { readonly name: string; readonly spec: string }[] {
  return Object.entries(packages)
    .filter(([name]) => isWanted(name))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, spec]) => ({ name, spec }));
}

/** What became of a package.json that was there before the project. */
interface MergedPackage {
  readonly content: string;
  /** The scripts that the user has and the project would have otherwise. */
  readonly keptScripts: readonly string[];
}

// What `npm init` writes.
const NO_TEST = 'echo "Error: no test specified" && exit 1';

type Entries = Readonly<Record<string, unknown>>;

/**
 * Adds to a package.json what a project needs and it has not; nothing when the text is not a JSON object.
 *
 * Guarantees: scripts and dependencies of the user stay as they are, and so do the order of keys and the indentation. The type is `module`,
 * since the sources are.
 */
export function mergePackage(text: string, wanted: string): MergedPackage | undefined {
  const present = readObject(text);
  if (present === undefined) return undefined;
  const project = JSON.parse(wanted) as Entries;
  const scripts = withoutPlaceholder(entriesOf(present["scripts"]));
  const known = { ...entriesOf(present["dependencies"]), ...entriesOf(present["devDependencies"]) };
  const merged: Entries = {
    ...present,
    type: "module",
    scripts: { ...scripts, ...missing(project["scripts"], scripts) },
    ...dependencies("dependencies", { present, project, known }),
    ...dependencies("devDependencies", { present, project, known }),
    engines: present["engines"] ?? project["engines"],
    ...installSettings(present, project),
  };
  const indent = /^[\t ]+/mu.exec(text)?.[0] ?? "  ";
  const kept = Object.entries(entriesOf(project["scripts"])).filter(
    ([name, script]) => scripts[name] !== undefined && scripts[name] !== script,
  );
  return { content: `${JSON.stringify(merged, undefined, indent)}\n`, keptScripts: kept.map(([name]) => name) };
}

// Each package manager has its own list of the packages whose install scripts may run.
function installSettings(present: Entries, project: Entries): Entries {
  const trusted = project["trustedDependencies"];
  const maps = ["allowScripts", "dependenciesMeta"].filter((key) => project[key] !== undefined);
  return {
    packageManager: present["packageManager"] ?? project["packageManager"],
    ...Object.fromEntries(
      maps.map((key) => [key, { ...entriesOf(project[key]), ...entriesOf(present[key]) }] as const),
    ),
    ...(trusted === undefined ? {} : { trustedDependencies: union(trusted, present["trustedDependencies"]) }),
  };
}

function union(...lists: readonly unknown[]): readonly unknown[] {
  return [...new Set(lists.flatMap((each): readonly unknown[] => (Array.isArray(each) ? each : [])))];
}

const BYTE_ORDER_MARK = /^\uFEFF/u;

function readObject(text: string): Entries | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Entries) : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(value: unknown): Entries {
  return typeof value === "object" && value !== null ? (value as Entries) : {};
}

function withoutPlaceholder(scripts: Entries): Entries {
  const { test, ...others } = scripts;
  return test === NO_TEST || test === undefined ? others : scripts;
}

function missing(wanted: unknown, present: Entries): Entries {
  return Object.fromEntries(Object.entries(entriesOf(wanted)).filter(([name]) => present[name] === undefined));
}

interface Packages {
  readonly present: Entries;
  readonly project: Entries;
  /** All that the user depends on, for running or for development. */
  readonly known: Entries;
}

function dependencies(key: string, { present, project, known }: Packages): Entries {
  const all = { ...entriesOf(present[key]), ...missing(project[key], known) };
  const sorted = Object.entries(all).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { [key]: Object.fromEntries(sorted) };
}

/** What became of a package.json that was there before the project. */
export interface MergedPackage {
  readonly content: string;
  /** The scripts that the user has and the project would have otherwise. */
  readonly keptScripts: readonly string[];
}

// What `npm init` writes.
const NO_TEST = 'echo "Error: no test specified" && exit 1';

type Entries = Readonly<Record<string, unknown>>;

/**
 * Adds to a package.json what a project needs and it has not; nothing when the text is no JSON object.
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
    allowScripts: { ...entriesOf(project["allowScripts"]), ...entriesOf(present["allowScripts"]) },
  };
  const indent = /^[\t ]+/mu.exec(text)?.[0] ?? "  ";
  const kept = Object.entries(entriesOf(project["scripts"])).filter(
    ([name, script]) => scripts[name] !== undefined && scripts[name] !== script,
  );
  return { content: `${JSON.stringify(merged, undefined, indent)}\n`, keptScripts: kept.map(([name]) => name) };
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

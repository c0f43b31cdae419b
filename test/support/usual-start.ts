import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Starts a project named `guestbook` of the domain `demo`. */
export const INIT = "init --domain demo --project-name guestbook --skip-install";
/** Adds the API of the examples, without running generators. */
export const CREATE_API = "create api --group webapp --version v1 --kind Guestbook --make=false";
/** Adds webhooks to it, without running generators. */
export const CREATE_WEBHOOK =
  "create webhook --group webapp --version v1 --kind Guestbook --make=false --defaulting --programmatic-validation";

const USUAL: ReadonlySet<string> = new Set([INIT, CREATE_API, CREATE_WEBHOOK, "manifests", "generate"]);

interface Entry {
  readonly name: string;
  readonly mode: number;
  /** Undefined for a folder. */
  readonly content: Buffer | undefined;
}

const projects = new Map<string, readonly Entry[]>();

/** Makes, in an empty folder, what the first of some commands made in another one before; returns how many these are. */
export function recallStart(root: string, start: readonly string[]): number {
  for (let count = start.length; count > 0; count -= 1) {
    const entries = projects.get(keyOf(root, start.slice(0, count)));
    if (entries === undefined) continue;
    for (const entry of entries) write(root, entry);
    return count;
  }
  return 0;
}

/** Returns the commands at the beginning of some that start a project as most tests do, in an empty folder. */
export function usualStart(root: string, lines: readonly string[]): readonly string[] {
  if (lines[0] !== INIT || readdirSync(root).length > 0) return [];
  const other = lines.findIndex((line) => !USUAL.has(line));
  return other < 0 ? lines : lines.slice(0, other);
}

/** Keeps what commands have made of an empty folder, for the next test of this worker that begins so. */
export function keepStart(root: string, lines: readonly string[]): void {
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const names = found.map((each) => path.relative(root, path.join(each.parentPath, each.name)));
  projects.set(
    keyOf(root, lines),
    names.toSorted().map((name) => read(root, name)),
  );
}

// Projects name the packages of this repository by paths from where they lie.
function keyOf(root: string, lines: readonly string[]): string {
  return [path.dirname(root), ...lines].join("\n");
}

function read(root: string, name: string): Entry {
  const file = path.join(root, name);
  const { mode } = statSync(file);
  return { name, mode, content: statSync(file).isFile() ? readFileSync(file) : undefined };
}

function write(root: string, { name, mode, content }: Entry): void {
  const file = path.join(root, name);
  if (content === undefined) mkdirSync(file);
  else writeFileSync(file, content);
  chmodSync(file, mode);
}

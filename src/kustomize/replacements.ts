import { deepClone } from "@kubescaffold/k8s";

import { KustomizationError } from "./errors.ts";
import { entriesOf, type Kustomization, readBeside, type ReadFile } from "./kustomization.ts";
import { asText, isMap, type Json, type JsonMap, listAt, mapAt, textAt } from "./manifest.ts";
import { memberOf, readSelector, type Resource, selects, setMember } from "./resource.ts";

/** Copies values from object to object, as the replacements of a kustomization say. */
export function applyReplacements(read: ReadFile, kustomization: Kustomization, resources: readonly Resource[]): void {
  const run: Run = { resources, file: kustomization.file, left: MOST_COPIED };
  for (const entry of entriesOf(kustomization, "replacements")) {
    const path = textAt(entry, "path");
    const listed = path === "" ? [entry] : readBeside(read, kustomization, path).flat();
    for (const each of listed) replace(mapAt(each), run);
  }
}

// A value that is copied into itself again and again doubles each time.
const MOST_COPIED = 2 ** 22;

/** The replacements of one kustomization. */
interface Run {
  readonly resources: readonly Resource[];
  readonly file: string;
  /** How much they may still copy: characters, and values. */
  left: number;
}

function replace(entry: JsonMap, run: Run): void {
  const value = sourceValue(entry, run);
  const size = sizeOf(value);
  for (const target of listAt(entry, "targets")) {
    const selector = readSelector(mapAt(target, "select"));
    const rejected = listAt(target, "reject").map((each) => readSelector(mapAt(each)));
    const meant = run.resources.filter(
      (each) => selects(selector, each, false) && !rejected.some((one) => selects(one, each, false)),
    );
    const paths = listAt(target, "fieldPaths").map((each) => asText(each));
    const options = mapAt(target, "options");
    const isCreating = options["create"] === true;
    for (const path of paths.length > 0 ? paths : ["metadata.name"]) {
      const keys = splitPath(path, run.file);
      const setting = { value, size, isCreating, cut: cutOptions(options, run.file), run, path };
      for (const { manifest } of meant) set(manifest, keys, setting);
    }
  }
}

function sourceValue(entry: JsonMap, { resources, file }: Run): Json {
  if (entry["sourceValue"] !== undefined) return entry["sourceValue"];
  const source = mapAt(entry, "source");
  const selector = readSelector(source);
  const found = resources.filter((each) => selects(selector, each, false));
  const [only, ...others] = found;
  const what = `the source ${JSON.stringify(selector)} of a replacement`;
  if (only === undefined) throw new KustomizationError(file, `no object matches ${what}`);
  if (others.length > 0) throw new KustomizationError(file, `several objects match ${what}`);
  const path = textAt(source, "fieldPath") || "metadata.name";
  const value = get(only.manifest, splitPath(path, file));
  if (value === undefined) throw new KustomizationError(file, `${what} has no value at ${path}`);
  const { delimiter, index } = cutOptions(mapAt(source, "options"), file);
  if (delimiter === "") return value;
  const part = asText(value).split(delimiter)[index];
  if (part !== undefined) return part;
  throw new KustomizationError(file, `${what} has no part ${String(index)} between ${JSON.stringify(delimiter)}`);
}

function get(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[indexIn(found, key)];
    else found = isMap(found) ? memberOf(found, key) : undefined;
  }
  return found;
}

interface Setting {
  readonly value: Json;
  readonly size: number;
  readonly isCreating: boolean;
  readonly cut: Cut;
  readonly run: Run;
  readonly path: string;
}

function set(root: Json, path: readonly string[], setting: Setting): void {
  let holders: readonly Json[] = [root];
  for (const [index, key] of path.entries()) {
    const isLast = index === path.length - 1;
    holders = holders.flatMap((holder) => {
      if (Array.isArray(holder)) return setItems(holder, key, isLast, setting);
      return isMap(holder) ? setKey(holder, key, isLast, setting) : fail(setting);
    });
  }
}

// Each returns what the next key of the path is looked for in.
function setItems(list: Json[], key: string, isLast: boolean, setting: Setting): readonly Json[] {
  const indexes = key === "*" ? [...list.keys()] : [indexIn(list, key)].filter((index) => index in list);
  if (indexes.length === 0) fail(setting);
  if (!isLast) return indexes.map((index) => list[index] ?? null);
  for (const index of indexes) list[index] = combine(list[index] ?? null, setting);
  return [];
}

function setKey(map: JsonMap, key: string, isLast: boolean, setting: Setting): readonly Json[] {
  const present = memberOf(map, key);
  if (present === undefined && !setting.isCreating) fail(setting);
  if (isLast) {
    setMember(map, key, combine(present ?? "", setting));
    return [];
  }
  const next = present ?? {};
  if (present === undefined) setMember(map, key, next);
  return [next];
}

function fail({ run, path }: Setting): never {
  throw new KustomizationError(run.file, `a target of a replacement has no value at ${path}`);
}

function indexIn(list: readonly Json[], key: string): number {
  if (/^\d+$/u.test(key)) return Number(key);
  const [name = "", ...rest] = key.split("=");
  return list.findIndex((item) => isMap(item) && asText(item[name]) === rest.join("="));
}

// With a delimiter only one part of the text is replaced; a part that is not there yet is put at the end.
function combine(present: Json, { value, size, cut, run }: Setting): Json {
  const { delimiter, index } = cut;
  if (delimiter === "") {
    spend(run, size);
    return deepClone(value);
  }
  const before = asText(present);
  spend(run, before.length + size);
  const parts = before.split(delimiter);
  if (index < 0) return [asText(value), ...parts].join(delimiter);
  if (index >= parts.length) return [...parts, asText(value)].join(delimiter);
  parts[index] = asText(value);
  return parts.join(delimiter);
}

function spend(run: Run, size: number): void {
  run.left -= size;
  if (run.left >= 0) return;
  throw new KustomizationError(run.file, `its replacements copy more than ${String(MOST_COPIED)} characters`);
}

function sizeOf(value: Json): number {
  let size = 0;
  const rest = [value];
  for (let next = rest.pop(); next !== undefined && size <= MOST_COPIED; next = rest.pop()) {
    size += typeof next === "string" ? next.length + 1 : 1;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, each] of Object.entries(next)) {
      size += key.length;
      rest.push(each);
    }
  }
  return size;
}

/** The part of a text that a replacement is about. */
interface Cut {
  readonly delimiter: string;
  readonly index: number;
}

function cutOptions(options: JsonMap, file: string): Cut {
  const { index = 0 } = options;
  if (Number.isSafeInteger(index)) return { delimiter: textAt(options, "delimiter"), index: Number(index) };
  throw new KustomizationError(file, `the index ${JSON.stringify(index)} of a replacement is not an integer`);
}

// As deep as kube-apiserver reads objects.
const DEEPEST = 10_000;

// Dots separate, but not inside brackets: `.metadata.annotations.[a.b/c]`, `containers.[name=manager]`.
function splitPath(path: string, file: string): readonly string[] {
  const parts = path.match(/\[[^[\]]*\]|(?:\\.|[^.[\]\\])+/gu) ?? [];
  if (parts.length > DEEPEST) {
    throw new KustomizationError(
      file,
      `a path of a replacement has ${String(parts.length)} fields, at most ${String(DEEPEST)}`,
    );
  }
  return parts.map((part) => (part.startsWith("[") ? part.slice(1, -1) : part.replaceAll(/\\(.)/gu, "$1")));
}

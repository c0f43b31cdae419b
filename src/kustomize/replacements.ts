import { deepClone } from "@kubescaffold/k8s";

import { KustomizationError } from "./errors.ts";
import { entriesOf, type Kustomization, readBeside, type ReadFile } from "./kustomization.ts";
import { asText, isMap, type Json, type JsonMap, listAt, mapAt, textAt } from "./manifest.ts";
import { readSelector, type Resource, selects } from "./resource.ts";

/** Copies values from object to object, as the replacements of a kustomization say. */
export function applyReplacements(read: ReadFile, kustomization: Kustomization, resources: readonly Resource[]): void {
  for (const entry of entriesOf(kustomization, "replacements")) {
    const path = textAt(entry, "path");
    const listed = path === "" ? [entry] : readBeside(read, kustomization, path).flat();
    for (const each of listed) replace(mapAt(each), resources, kustomization.file);
  }
}

function replace(entry: JsonMap, resources: readonly Resource[], file: string): void {
  const value = sourceValue(entry, resources, file);
  for (const target of listAt(entry, "targets")) {
    const selector = readSelector(mapAt(target, "select"));
    const rejected = listAt(target, "reject").map((each) => readSelector(mapAt(each)));
    const meant = resources.filter(
      (each) => selects(selector, each, false) && !rejected.some((one) => selects(one, each, false)),
    );
    const paths = listAt(target, "fieldPaths").map((each) => asText(each));
    for (const { manifest } of meant)
      for (const path of paths.length > 0 ? paths : ["metadata.name"])
        set(manifest, splitPath(path), { value, options: mapAt(target, "options"), file, path });
  }
}

function sourceValue(entry: JsonMap, resources: readonly Resource[], file: string): Json {
  if (entry["sourceValue"] !== undefined) return entry["sourceValue"];
  const source = mapAt(entry, "source");
  const found = resources.filter((each) => selects(readSelector(source), each, false));
  const [only, ...others] = found;
  const what = `the source ${JSON.stringify(readSelector(source))} of a replacement`;
  if (only === undefined) throw new KustomizationError(file, `no object matches ${what}`);
  if (others.length > 0) throw new KustomizationError(file, `several objects match ${what}`);
  const path = textAt(source, "fieldPath") || "metadata.name";
  const value = get(only.manifest, splitPath(path));
  if (value === undefined) throw new KustomizationError(file, `${what} has no value at ${path}`);
  const { delimiter, index } = cutOptions(mapAt(source, "options"));
  return delimiter === "" ? value : (asText(value).split(delimiter)[index] ?? "");
}

function get(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(value)) return get(value[indexIn(value, key)], rest);
  return isMap(value) ? get(value[key], rest) : undefined;
}

interface Setting {
  readonly value: Json;
  readonly options: JsonMap;
  readonly file: string;
  readonly path: string;
}

function set(holder: Json, path: readonly string[], setting: Setting): void {
  const [key = "", ...rest] = path;
  const creates = setting.options["create"] === true;
  if (Array.isArray(holder)) {
    const indexes = key === "*" ? [...holder.keys()] : [indexIn(holder, key)].filter((index) => index in holder);
    if (indexes.length === 0) fail(setting);
    for (const index of indexes) {
      const item = holder[index] ?? null;
      if (rest.length === 0) holder[index] = combine(item, setting);
      else set(item, rest, setting);
    }
    return;
  }
  if (!isMap(holder)) return fail(setting);
  if (rest.length === 0) {
    if (holder[key] === undefined && !creates) fail(setting);
    holder[key] = combine(holder[key] ?? "", setting);
    return;
  }
  if (holder[key] === undefined) {
    if (!creates) fail(setting);
    holder[key] = {};
  }
  set(holder[key], rest, setting);
}

function fail({ file, path }: Setting): never {
  throw new KustomizationError(file, `a target of a replacement has no value at ${path}`);
}

function indexIn(list: readonly Json[], key: string): number {
  if (/^\d+$/u.test(key)) return Number(key);
  const [name = "", ...rest] = key.split("=");
  return list.findIndex((item) => isMap(item) && asText(item[name]) === rest.join("="));
}

// With a delimiter only one part of the text is replaced; a part that is not there yet is put at the end.
function combine(present: Json, { value, options }: Setting): Json {
  const { delimiter, index } = cutOptions(options);
  if (delimiter === "") return deepClone(value);
  const parts = asText(present).split(delimiter);
  if (index < 0) return [asText(value), ...parts].join(delimiter);
  if (index >= parts.length) return [...parts, asText(value)].join(delimiter);
  parts[index] = asText(value);
  return parts.join(delimiter);
}

function cutOptions(options: JsonMap): { readonly delimiter: string; readonly index: number } {
  return { delimiter: textAt(options, "delimiter"), index: Number(options["index"] ?? 0) };
}

// Dots separate, but not inside brackets: `.metadata.annotations.[a.b/c]`, `containers.[name=manager]`.
function splitPath(path: string): readonly string[] {
  const parts = path.match(/\[[^[\]]*\]|(?:\\.|[^.[\]\\])+/gu) ?? [];
  return parts.map((part) => (part.startsWith("[") ? part.slice(1, -1) : part.replaceAll(/\\(.)/gu, "$1")));
}

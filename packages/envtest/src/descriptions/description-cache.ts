import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { type Descriptions, parseDescriptions, printDescriptions } from "@kubescaffold/k8s/tables";
import { makeFolder, replaceFile } from "@kubescaffold/platform/files";

import { cacheFolder } from "../binaries/cache-folder.ts";

/** Where descriptions are cached. */
export interface DescriptionCache {
  /** The environment whose `XDG_CACHE_HOME` or `HOME` contains the cache. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The minor release whose types `@kubescaffold/k8s` contains. */
export const PREFERRED_RELEASE: string = `v${KUBERNETES_MINOR}`;

const FILE_NAME = /^v\d+\.\d+\.json$/u;

/**
 * Reads the cached descriptions: those of {@link PREFERRED_RELEASE}, or else of the newest other release. Returns undefined if none are cached.
 *
 * Guarantees: files that are damaged or written by another program are ignored.
 */
export async function readDescriptions(cache: DescriptionCache = {}): Promise<Descriptions | undefined> {
  const folder = folderOf(cache);
  const names = (await readdir(folder).catch(() => [])).filter((name) => FILE_NAME.test(name));
  const preferred = `${PREFERRED_RELEASE}.json`;
  const ordered = names.toSorted((left, right) =>
    left === preferred ? -1 : right === preferred ? 1 : right.localeCompare(left, "en", { numeric: true }),
  );
  for (const name of ordered) {
    const text = await readFile(path.join(folder, name), "utf8").catch(() => "");
    const descriptions = parseDescriptions(text);
    if (descriptions !== undefined && text === textOf(descriptions)) return descriptions;
  }
  return undefined;
}

/**
 * Stores descriptions in the cache, in place of those of the same minor release, and returns the path of the file.
 *
 * Guarantees: other processes see the former file or the new one.
 * Fails: with the error of the file system.
 */
export async function storeDescriptions(descriptions: Descriptions, cache: DescriptionCache = {}): Promise<string> {
  const file = descriptionsFile(descriptions.release, cache);
  makeFolder(path.dirname(file));
  await replaceFile(file, textOf(descriptions), { isSynced: true });
  return file;
}

function textOf(descriptions: Descriptions): string {
  const checksum = createHash("sha256").update(printDescriptions(descriptions)).digest("hex");
  return printDescriptions(descriptions, { checksum: `sha256:${checksum}` });
}

/** Returns the path of the cached descriptions of a release such as `v1.35.4`. */
export function descriptionsFile(release: string, cache: DescriptionCache = {}): string {
  const minor = /^v\d+\.\d+/u.exec(release)?.[0] ?? release;
  return path.join(folderOf(cache), `${minor}.json`);
}

function folderOf({ env }: DescriptionCache): string {
  return cacheFolder("k8s-docs", env);
}

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * Loads a script in CommonJS form through V8's code cache, which saves compiling it again in every process.
 *
 * The cache lies in the user's cache folder, one file for each content of the script and version of Node. Guarantees: written atomically when the
 * process ends, by when the functions in use have been compiled; where it cannot be read or written, or V8 refuses it, the script loads without.
 */
export function loadCachedScript(url: URL): Record<string, unknown> {
  const file = fileURLToPath(url);
  const source = readFileSync(file, "utf8");
  const cacheFile = cacheFileFor(source);
  const cachedData = readCache(cacheFile);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  const module = { exports: {} as Record<string, unknown> };
  run.call(module.exports, module.exports, createRequire(url), module, file, path.dirname(file));
  if (cacheFile !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    process.once("exit", () => writeCache(cacheFile, script));
  }
  return module.exports;
}

// Hashing millions of characters would cost what the cache saves: length and both ends tell versions apart, with the package's version in the name.
function cacheFileFor(source: string): string | undefined {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  const sample = `${source.length}:${source.slice(0, 4096)}:${source.slice(-4096)}`;
  const hash = createHash("sha256").update(sample).digest("hex").slice(0, 16);
  return path.join(
    folder,
    `ts-morph-${hash}-node-${process.versions.node}-v8-${process.versions.v8}-${process.arch}.cache`,
  );
}

function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, "kubescaffold");
  const home = homedir();
  if (!path.isAbsolute(home)) return undefined;
  if (process.platform === "darwin") return path.join(home, "Library", "Caches", "kubescaffold");
  if (process.platform === "win32")
    return path.join(LOCALAPPDATA ?? path.join(home, "AppData", "Local"), "kubescaffold", "Cache");
  return path.join(home, ".cache", "kubescaffold");
}

function readCache(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function writeCache(file: string, script: Script): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, file);
  } catch {
    // A cache that cannot be written is done without.
    removeDraft(draft);
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Where the cache's folder cannot be, the draft is not either.
  }
}

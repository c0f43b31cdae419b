import { homedir } from "node:os";
import path from "node:path";

/** The variables that select the user's cache. */
export type CacheEnvironment = Readonly<Record<string, string | undefined>>;

/** Returns a folder of the user's cache: below `XDG_CACHE_HOME`, or else `.cache` in `HOME`, or in the home folder of the system. */
export function cacheFolder(name: string, env: CacheEnvironment = process.env): string {
  const cache = env["XDG_CACHE_HOME"] || path.join(env["HOME"] || homedir(), ".cache");
  return path.join(cache, "kubescaffold", name);
}

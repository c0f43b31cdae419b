import { homedir } from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { cacheFolder } from "../../src/binaries/cache-folder.ts";

it.each([
  [{ XDG_CACHE_HOME: "/cache", HOME: "/home/me" }, "/cache"],
  [{ HOME: "/home/me" }, "/home/me/.cache"],
  [{ XDG_CACHE_HOME: "", HOME: "/home/me" }, "/home/me/.cache"],
  [{}, path.join(homedir(), ".cache")],
])("the cache folder with %j is in %s", (env, parent) => {
  expect(cacheFolder("stand-ins", env)).toBe(path.join(parent, "kubescaffold", "stand-ins"));
});

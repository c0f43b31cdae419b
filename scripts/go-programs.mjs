// Builds pinned Go programs into the user's cache folder: the control plane, helm and the references of tests.
import { spawnSync } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

export const EXECUTABLE_SUFFIX = process.platform === "win32" ? ".exe" : "";

/** Is where this repository keeps what is made once per machine; the folder need not exist. */
export const CACHE = path.join(userCacheFolder(), "kubescaffold");

/** Returns what `go version` says, or undefined where there is no Go. */
export function goVersion() {
  const result = spawnSync("go", ["version"], { encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Builds a program of a module, `source` being its import path, small and with the same bytes everywhere. Throws when Go fails. */
export function buildGoProgram({ module, source, output, linkerFlags = "" }) {
  const stripped = ["-s -w", linkerFlags].join(" ").trim();
  const args = ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-p", "2", "-ldflags", stripped];
  const result = spawnSync("go", [...args, "-o", output, source], {
    cwd: module,
    env: goEnvironment(),
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`go build ${source} ended with status ${String(result.status)}`);
}

// Go refuses to work where HOME is unset, so its caches then get their own folder.
/** Returns the environment of Go commands, without cgo and workspaces. */
export function goEnvironment() {
  const environment = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  if (process.env["HOME"] || process.platform === "win32") return environment;
  const folder = path.join(CACHE, "go");
  return { GOPATH: path.join(folder, "path"), GOCACHE: path.join(folder, "build"), ...environment };
}

// A variable that is empty says as much as one that is not set.
function userCacheFolder() {
  if (process.env["XDG_CACHE_HOME"]) return process.env["XDG_CACHE_HOME"];
  const home = homedir();
  return home ? path.join(home, ".cache") : path.join(tmpdir(), "kubescaffold-cache");
}

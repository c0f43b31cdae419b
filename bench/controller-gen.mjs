// Finds controller-gen of the version that ours is compared with, or installs it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const VERSION = "v0.23.0";
const NAME = process.platform === "win32" ? "controller-gen.exe" : "controller-gen";

/** Returns controller-gen from the user's cache, GOBIN or the PATH, or installs it with Go; nothing where there is no Go. */
export function findControllerGen() {
  // It lists packages through Go, so without Go it is of no use.
  if (spawnSync("go", ["version"]).status !== 0) return undefined;
  const cached = path.join(cacheFolder(), `controller-gen-${VERSION}`);
  const places = [cached, process.env["GOBIN"], ...(process.env["PATH"] ?? "").split(path.delimiter)];
  const found = places
    .filter((folder) => folder !== undefined && folder !== "")
    .map((folder) => path.join(folder, NAME))
    .find((file) => existsSync(file) && isWantedVersion(file));
  return found ?? install(cached);
}

function isWantedVersion(file) {
  return spawnSync(file, ["--version"], { encoding: "utf8" }).stdout?.trim() === `Version: ${VERSION}`;
}

function install(folder) {
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(
    "go",
    ["install", `sigs.k8s.io/controller-tools/cmd/controller-gen@${VERSION}`],
    {
      env: { ...process.env, GOBIN: folder },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`cannot install controller-gen ${VERSION}: ${stderr.trim()}`);
  return path.join(folder, NAME);
}

function cacheFolder() {
  return path.join(process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"), "kubescaffold", "golden-reference");
}

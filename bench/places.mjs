// Where the measured programs and projects are.
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Returns the bundled program. Throws when it was not built. */
export function builtProgram() {
  const program = programOf(ROOT);
  if (!existsSync(program)) throw new Error("there is no dist/scaffold.cjs: run `npm run build` first");
  return program;
}

/** Returns the bundled program of a checkout, which earlier ones have as a module. */
export function programOf(root) {
  const module = path.join(root, "dist", "scaffold.js");
  return existsSync(module) ? module : path.join(root, "dist", "scaffold.cjs");
}

/** Does work in a folder that is removed afterwards. */
export async function inTemporaryFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the Guestbook project, which finds its packages in the repository. */
export function copyGuestbook(folder) {
  cpSync(path.join(ROOT, "examples", "guestbook"), folder, {
    recursive: true,
    filter: (source) => path.basename(source) !== "node_modules",
  });
  linkPackages(folder);
  return folder;
}

/** Lets a project find its packages in the repository. */
export function linkPackages(project) {
  symlinkSync(path.join(ROOT, "node_modules"), path.join(project, "node_modules"), "junction");
}

/** Copies the same project in Go. */
export function copyGoGuestbook(folder) {
  cpSync(fileURLToPath(new URL("go-guestbook/", import.meta.url)), folder, { recursive: true });
  return folder;
}

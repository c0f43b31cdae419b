// Makes a project as a user does: by commands, and by editing files, which are those of an example.
import { spawn } from "node:child_process";
import { cp } from "node:fs/promises";
import path from "node:path";

import { ROOT } from "../ensure-installed.mjs";
import { StoryError, tell } from "./steps.mjs";

/** Runs the command line in a folder. */
export async function scaffold(folder, args) {
  tell(`$ scaffold ${args.join(" ")}`);
  await runQuietly(process.execPath, [path.join(ROOT, "dist", "scaffold.cjs"), ...args], folder);
}

/** Puts the filled-in files of an example into a project. */
export async function fillIn(folder, { name, filledIn }) {
  const example = path.join(ROOT, "examples", name);
  for (const file of filledIn) {
    await cp(path.join(example, file), path.join(folder, file));
    tell(`filled in ${file}`);
  }
}

/** Runs a program and shows its output only when it fails. */
export async function runQuietly(command, args, cwd) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const status = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (status !== 0)
    throw new StoryError(`${command} ${args.join(" ")} ended with status ${String(status)}:\n${output}`);
  return output;
}

// Makes the Guestbook project: the commands a user types, and the files a user edits, which are those of examples/guestbook.
import { spawn } from "node:child_process";
import { cp } from "node:fs/promises";
import path from "node:path";

import { ROOT } from "../ensure-installed.mjs";
import { StoryError, tell } from "./steps.mjs";

/** The files that a user edits after the commands; all others are as the commands make them. */
export const FILLED_IN = [
  "api/v1/guestbook_types.ts",
  "config/samples/webapp_v1_guestbook.yaml",
  "internal/controller/guestbook_children.ts",
  "internal/controller/guestbook_controller.ts",
  "internal/controller/guestbook_controller.test.ts",
  "internal/webhook/v1/guestbook_webhook.ts",
  "internal/webhook/v1/guestbook_webhook.test.ts",
];

/** The commands that make the project. */
export const COMMANDS = [
  ["init", "--domain", "demo", "--project-name", "guestbook", "--owner", "The Kubescaffold authors", "--skip-install"],
  [
    "create",
    "api",
    "--group",
    "webapp",
    "--version",
    "v1",
    "--kind",
    "Guestbook",
    "--resource",
    "--controller",
    "--make=false",
  ],
  [
    "create",
    "webhook",
    "--group",
    "webapp",
    "--version",
    "v1",
    "--kind",
    "Guestbook",
    "--defaulting",
    "--programmatic-validation",
    "--make=false",
  ],
];

/** Runs the command line in a folder. */
export async function scaffold(folder, args) {
  tell(`$ scaffold ${args.join(" ")}`);
  await runQuietly(process.execPath, [path.join(ROOT, "dist", "scaffold.js"), ...args], folder);
}

/** Puts the filled-in files of the example into a project. */
export async function fillIn(folder, files = FILLED_IN) {
  const example = path.join(ROOT, "examples", "guestbook");
  for (const file of files) {
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

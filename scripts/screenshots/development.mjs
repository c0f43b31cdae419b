// The Guestbook example in `scaffold dev`, whose dashboard is photographed.
import { spawn } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

import { ROOT } from "../ensure-installed.mjs";

/** The program that was built. */
export const PROGRAM = path.join(ROOT, "dist", "scaffold.cjs");

/** Copies the example into a folder, with the modules of this repository, and returns its path. */
export function copyExample(folder) {
  const root = path.join(folder, "guestbook");
  const leftOut = new Set(["node_modules", "dist", ".kubescaffold"]);
  cpSync(path.join(ROOT, "examples", "guestbook"), root, {
    recursive: true,
    filter: (file) => !leftOut.has(path.basename(file)),
  });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"), "junction");
  return root;
}

/** Starts `scaffold dev` in a project. Returns the address of its dashboard, and a function that stops it. */
export function startDev(cwd) {
  const child = spawn(process.execPath, [PROGRAM, "dev", "--output", "json"], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise((resolve) => {
    child.once("close", resolve);
  });
  const address = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = addressOf(line);
      if (url !== undefined) resolve(url);
    });
    closed.then(() => reject(new Error("scaffold dev ended without an address")), reject);
  });
  const stop = async () => {
    child.kill("SIGINT");
    await closed;
  };
  return { address, stop };
}

function addressOf(line) {
  try {
    const { event, url } = JSON.parse(line);
    return event === "dashboard-ready" ? url : undefined;
  } catch {
    return undefined;
  }
}

/** What the pictures show: a version of the sample that a person wrote, an object whose image does not exist, and further changes. */
export async function work(page) {
  await apply(page, (text) => text.replace(/size: \d+/u, "size: 4"));
  await page.waitForTimeout(3000);
  await apply(page, (text) =>
    text.replace("name: guestbook-sample", "name: team-offsite").replace(/size: \d+/u, "size: 2"),
  );
  await page.waitForTimeout(3000);
  await apply(page, (text) => text.replace(/size: \d+/u, "size: 1"));
  await page.waitForTimeout(3000);
}

async function apply(page, change) {
  await open(page, "#/objects");
  await open(page, "#/editor");
  const text = page.getByRole("textbox", { name: "YAML of the object" });
  await text.waitFor();
  await text.fill(change(await text.inputValue()));
  await page.locator(".dry-run", { hasText: /^ ?Valid(?:,|$)/u }).waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("was written").waitFor();
}

/** Opens a view of the dashboard. */
export async function open(page, hash) {
  await page.evaluate((value) => {
    location.hash = value;
  }, hash);
}

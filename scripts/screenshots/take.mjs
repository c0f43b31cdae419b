// `npm run docs:screenshots`: runs `scaffold dev` on a copy of the Guestbook example, works in its dashboard, and writes docs/screenshots, or another folder.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

import { CHROMIUM_ARGUMENTS, chromiumPath } from "../chromium.mjs";
import { ROOT } from "../ensure-installed.mjs";
import { deployExample, startDashboard } from "./deployed-example.mjs";

const PROGRAM = path.join(ROOT, "dist", "scaffold.cjs");
const LIMIT_MS = 400_000;
const SIZE = { width: 1280, height: 760 };
const GUESTBOOK = "webapp.demo/v1/guestbooks/default/guestbook-sample";
const VIEWS = [
  { name: "objects", hash: `#/objects?sel=${GUESTBOOK}` },
  { name: "graph", hash: "#/objects?as=graph&ns=default" },
  { name: "history", hash: `#/objects?sel=${GUESTBOOK}&tab=history` },
  { name: "controllers", hash: "#/controllers?span=1m" },
  { name: "webhooks", hash: "#/webhooks", click: ".grid-body .grid-row" },
  { name: "permissions", hash: "#/permissions" },
  { name: "editor", hash: "#/editor", isInvalid: true },
  { name: "faults", hash: "#/faults" },
  { name: "logs", hash: "#/logs" },
];

const CLUSTER_VIEWS = [
  { name: "cluster-controllers", hash: "#/controllers?span=1m" },
  { name: "cluster-webhooks", hash: "#/webhooks" },
];

const { values, positionals: wanted } = parseArgs({
  options: { output: { type: "string", default: path.join(ROOT, "docs", "screenshots") } },
  allowPositionals: true,
});
const program = chromiumPath();
if (program === undefined) {
  console.error("There is no Chromium on the PATH or in KUBESCAFFOLD_CHROMIUM.");
  process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-screenshots-"));
const limit = setTimeout(() => {
  console.error("The screenshots took too long.");
  process.exit(1);
}, LIMIT_MS);
mkdirSync(values.output, { recursive: true });
try {
  if (wanted.length === 0 || wanted.includes("dev")) await takeDev();
  if (wanted.length === 0 || wanted.includes("cluster")) await takeCluster();
} finally {
  clearTimeout(limit);
  rmSync(folder, { recursive: true, force: true });
}

async function takeDev() {
  const dev = startDev(copyExample("dev"));
  try {
    await takeAll(await dev.address, { views: VIEWS, prepare: work });
  } finally {
    await dev.stop();
  }
}

async function takeCluster() {
  const project = copyExample("cluster");
  const operator = await deployExample(project);
  try {
    const dashboard = startDashboard(project, operator.kubeconfig);
    try {
      await takeAll(await dashboard.address, { views: CLUSTER_VIEWS, prepare: (page) => operator.work(page) });
    } finally {
      await dashboard.stop();
    }
  } finally {
    await operator.stop();
  }
}

async function takeAll(address, { views, prepare }) {
  const context = await chromium.launchPersistentContext(mkdtempSync(path.join(folder, "profile-")), {
    executablePath: program,
    args: [...CHROMIUM_ARGUMENTS],
    viewport: SIZE,
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByText("Manager ready").waitFor({ timeout: 90_000 });
    await prepare(page);
    for (const theme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: theme });
      for (const view of views) await take(page, { ...view, theme });
    }
  } finally {
    await context.close();
  }
}

// What the screenshots show: a version of the sample that a person wrote, an object whose image does not exist, a fault.
async function work(page) {
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

async function take(page, { name, hash, theme, click, isInvalid = false }) {
  await open(page, hash);
  await page.waitForTimeout(800);
  if (click !== undefined) await page.locator(click).last().click();
  if (isInvalid) {
    await page.getByLabel("size", { exact: false }).first().fill("11");
    await page.locator(".notice.is-bad").waitFor();
  }
  await page.waitForTimeout(400);
  await page.mouse.move(0, 0);
  // Playwright writes no WebP, which is a third of the size.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  writeFileSync(path.join(values.output, `${name}-${theme}.webp`), Buffer.from(data, "base64"));
  await session.detach();
}

async function open(page, hash) {
  await page.evaluate((value) => {
    location.hash = value;
  }, hash);
}

function copyExample(name) {
  const root = path.join(folder, name, "guestbook");
  const leftOut = new Set(["node_modules", "dist", ".kubescaffold"]);
  cpSync(path.join(ROOT, "examples", "guestbook"), root, {
    recursive: true,
    filter: (file) => !leftOut.has(path.basename(file)),
  });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"), "junction");
  return root;
}

function startDev(cwd) {
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

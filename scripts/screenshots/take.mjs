// `npm run docs:screenshots`: runs `scaffold dev` on a copy of the Guestbook example, works in its dashboard, and writes docs/screenshots, or another folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

import { CHROMIUM_ARGUMENTS, chromiumPath } from "../chromium.mjs";
import { ROOT } from "../ensure-installed.mjs";
import { deployExample, startDashboard } from "./deployed-example.mjs";
import { copyExample, open, startDev, work } from "./development.mjs";

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
  const dev = startDev(copyExample(path.join(folder, "dev")));
  try {
    await takeAll(await dev.address, { views: VIEWS, prepare: work });
  } finally {
    await dev.stop();
  }
}

async function takeCluster() {
  const project = copyExample(path.join(folder, "cluster"));
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

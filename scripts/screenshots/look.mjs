// `npm run docs:pictures -- --output <folder> [dashboard] [errors] [site]`: photographs what people look at, for a review before a release: the
// dashboard and the first page of the site at three widths, and failures at a terminal. Needs Chromium, and Python 3 for the terminal; the
// site is built first by `node site/build.mjs`.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

import { CHROMIUM_ARGUMENTS, chromiumPath } from "../chromium.mjs";
import { ROOT } from "../ensure-installed.mjs";
import { Screen } from "../recordings/screen.mjs";
import { renderSvg } from "../recordings/svg.mjs";
import { copyExample, open, PROGRAM, startDev, work } from "./development.mjs";
import { applyEdits, FAILURES } from "./failures.mjs";

const BRIDGE = path.join(ROOT, "scripts", "recordings", "bridge.py");
const WIDTHS = [320, 800, 1440];
const THEMES = ["light", "dark"];
const HEIGHT = 900;
const GUESTBOOK = "webapp.demo/v1/guestbooks/default/guestbook-sample";
const VIEWS = {
  objects: `#/objects?sel=${GUESTBOOK}`,
  graph: "#/objects?as=graph&ns=default",
  history: `#/objects?sel=${GUESTBOOK}&tab=history`,
  controllers: "#/controllers?span=1m",
  webhooks: "#/webhooks",
  permissions: "#/permissions",
  editor: "#/editor",
  faults: "#/faults",
  logs: "#/logs",
};
const COLUMNS = 120;
const MOST_ROWS = 400;
// The manager serves, or its failure is logged.
const STARTED = /manager running|manager exited|ERROR/u;
const START_SECONDS = 60;
// From a change until its effect is logged.
const EFFECT_SECONDS = 5;

// Requests to the site are answered from this folder.
const SITE = path.join(ROOT, "site", "dist");
const SITE_ADDRESS = "http://site.localhost";

const PARTS = { dashboard: photographDashboard, errors: photographErrors, site: photographSite };

const { values, positionals } = parseArgs({ options: { output: { type: "string" } }, allowPositionals: true });
const unknown = positionals.filter((part) => !Object.hasOwn(PARTS, part));
const program = chromiumPath();
if (values.output === undefined || unknown.length > 0) {
  console.error(`usage: npm run docs:pictures -- --output <folder> [${Object.keys(PARTS).join("] [")}]`);
  process.exit(2);
}
if (program === undefined) {
  console.error("There is no Chromium on the PATH or in KUBESCAFFOLD_CHROMIUM.");
  process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-pictures-"));
mkdirSync(values.output, { recursive: true });
const context = await chromium.launchPersistentContext(path.join(folder, "profile"), {
  executablePath: program,
  args: [...CHROMIUM_ARGUMENTS],
  reducedMotion: "reduce",
});
try {
  for (const [part, photograph] of Object.entries(PARTS))
    if (positionals.length === 0 || positionals.includes(part)) await photograph(await context.newPage());
} finally {
  await context.close();
  rmSync(folder, { recursive: true, force: true });
}

async function photographDashboard(page) {
  const dev = startDev(copyExample(path.join(folder, "dashboard")));
  try {
    await page.goto(await dev.address);
    await page.getByText("Manager ready").waitFor({ timeout: 90_000 });
    await work(page);
    await inEachTheme(page, async (theme, width) => {
      for (const [name, hash] of Object.entries(VIEWS)) {
        await open(page, hash);
        await page.waitForTimeout(600);
        if (name === "editor") await page.locator(".dry-run", { hasText: /^ ?Valid(?:,|$)/u }).waitFor();
        await take(page, `dashboard-${name}-${String(width)}-${theme}`);
      }
    });
  } finally {
    await dev.stop();
  }
}

async function inEachTheme(page, run) {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await run(colorScheme, width);
    }
  }
}

async function photographErrors(page) {
  await page.setViewportSize({ width: 1080, height: HEIGHT });
  for (const [kind, failures] of Object.entries(FAILURES)) {
    for (const [index, failure] of failures.entries()) {
      const name = `error-${kind}-${String(index + 1)}`;
      const project = copyExample(path.join(folder, name));
      await page.setContent(`<body style="margin:0">${terminal(await outputOf(project, failure), project)}`);
      await page.locator("svg").screenshot({ path: path.join(values.output, `${name}.png`) });
      console.log(`${name}.png`);
    }
  }
}

async function photographSite(page) {
  if (!existsSync(path.join(SITE, "index.html"))) {
    console.error("There is no site to photograph: run `node site/build.mjs`, or name the other parts.");
    process.exitCode = 1;
    return;
  }
  await page.route(`${SITE_ADDRESS}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(1) || "index.html";
    return route.fulfill({ path: path.join(SITE, file) });
  });
  await inEachTheme(page, async (theme, width) => {
    await page.goto(`${SITE_ADDRESS}/`);
    await take(page, `site-${String(width)}-${theme}`, { fullPage: true });
  });
}

// The reader's project is in the home folder.
function terminal(output, project) {
  const text = output.replaceAll(project, "~/guestbook");
  const screen = new Screen({ columns: COLUMNS, rows: MOST_ROWS });
  screen.write(text);
  return renderSvg([[0, text]], { columns: COLUMNS, rows: screen.lines().length, title: "" });
}

/** Runs the line of a failure, and returns what the terminal shows: the line, and its output. */
async function outputOf(project, { edits, line, isDevelopment = false }) {
  const typed = `\u001B[32m$\u001B[39m ${line}\r\n`;
  if (!isDevelopment) {
    applyEdits(project, edits);
    // The command does not prompt for what is wrong.
    return typed + (await atTerminal(project, line, { CI: "true" }).output);
  }
  const isShown = line.endsWith(" dev");
  if (isShown) applyEdits(project, edits);
  const dev = atTerminal(project, "npx scaffold dev");
  for (let second = 0; second < START_SECONDS && !STARTED.test(dev.printed()); second += 1) await sleep(1000);
  if (!isShown) applyEdits(project, edits);
  const beside = atTerminal(project, isShown ? "kubectl apply -k config/samples" : line);
  const output = await beside.output;
  await sleep(isShown ? EFFECT_SECONDS * 1000 : 0);
  dev.type("q");
  const logged = await dev.output;
  return typed + (isShown ? logged : output);
}

function atTerminal(cwd, line, env = {}) {
  const command = line.replace("npx scaffold", `"${process.execPath}" "${PROGRAM}"`);
  const { NO_COLOR: _, FORCE_COLOR: __, ...environment } = { ...process.env, CI: "", TERM: "xterm-256color" };
  const child = spawn("python3", [BRIDGE, String(COLUMNS), "40", "bash", "-c", command], {
    cwd,
    env: { ...environment, ...env, KUBECONFIG: path.join(cwd, ".kubescaffold", "dev", "kubeconfig") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  const read = async () => {
    for await (const each of createInterface({ input: child.stdout })) printed += JSON.parse(each)[1];
    return printed;
  };
  return { output: read(), printed: () => printed, type: (keys) => child.stdin.write(keys) };
}

async function take(page, name, options = {}) {
  await page.screenshot({ path: path.join(values.output, `${name}.png`), ...options });
  console.log(`${name}.png`);
}

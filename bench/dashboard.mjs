// The page of the dashboard with 10,000 objects in Chromium: its longest task in each phase, in processor time and on the clock, and its size. `node bench/dashboard.mjs` builds the page first.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { register } from "tsx/esm/api";

import { buildDashboard } from "../scripts/build-dashboard.mjs";
import { printWhenMain, rowOf } from "./measuring.mjs";

const OBJECTS = 10_000;
const CHANGES_PER_SECOND = 200;
const ROUNDS = 5;
// Objects in families as a controller makes them: an owner, a Deployment, a ReplicaSet, two Pods.
const FAMILY = 5;
const DASHBOARD = fileURLToPath(new URL("../packages/dashboard", import.meta.url));

export async function measureDashboard() {
  buildDashboard();
  register();
  const { CHROMIUM, TestBrowser } = await import("../packages/dashboard/test/page/browser/browser.ts");
  const size = rowOf({
    title: "the page of the dashboard, compressed",
    ours: [compressedSize() / 1000],
    max: 250,
    unit: "kB",
  });
  if (CHROMIUM === undefined) return [size];
  const phases = new Map();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [phase, longest] of await measureRound(TestBrowser))
      phases.set(phase, [...(phases.get(phase) ?? []), longest]);
  return [size, ...rowsOf(phases, "processorMs", ""), ...rowsOf(phases, "clockMs", ", on the clock")];
}

function rowsOf(phases, time, suffix) {
  return [...phases].map(([phase, tasks]) =>
    rowOf({
      title: `10,000 objects: the longest task while ${phase}${suffix}`,
      ours: tasks.map((longest) => longest[time]),
      max: 50,
    }),
  );
}

async function measureRound(TestBrowser) {
  const { FakeFeed } = await import("../packages/dashboard/test/page/feed/fake-feed.ts");
  const { scenario, summary } = await import("../packages/dashboard/test/page/feed/scenario.ts");
  const answers = scenario(Date.now());
  const objects = families(summary);
  const messages = objects.map((object) => ({ type: "object", change: "existing", object }));
  const feed = await FakeFeed.start({ ...answers, messages: [...answers.messages, ...messages] });
  const browser = await TestBrowser.start();
  const longest = [];
  let process;
  const phase = async (title, run) => {
    const trace = JSON.parse(await browser.trace(["toplevel", "blink.user_timing"], run));
    process ??= processOf(trace, feed.url);
    longest.push([title, longestTask(trace, process)]);
  };
  try {
    const page = await browser.newPage();
    // Without waiting for something in the page, which would run code of the test there.
    await phase("the page starts and they arrive", async () => {
      await page.goto(`${feed.url}#/objects`);
      await page.waitForTimeout(4000);
    });
    await page.getByText("10,016 objects", { exact: false }).waitFor();
    await measurePhases(page, { feed, objects, phase });
    return longest;
  } finally {
    await browser.stop();
    await feed.stop();
  }
}

async function measurePhases(page, { feed, objects, phase }) {
  await phase("scrolling", async () => {
    await page.mouse.move(500, 400);
    for (let step = 0; step < 60; step += 1) {
      await page.mouse.wheel(0, 2000);
      await page.waitForTimeout(16);
    }
  });
  await phase("moving with the keyboard", async () => {
    await page.keyboard.press("l");
    for (const key of ["Home", "End", "PageUp", ...Array.from({ length: 40 }, () => "ArrowUp")])
      await page.keyboard.press(key);
  });
  await phase("searching", async () => {
    await page.getByPlaceholder("Search objects").pressSequentially("family-01999", { delay: 60 });
    await page.getByText("5 objects of 10,016 objects").waitFor();
    await page.getByPlaceholder("Search objects").fill("");
    await page.getByText("10,016 objects", { exact: false }).waitFor();
  });
  await phase(`${String(CHANGES_PER_SECOND)} objects change per second`, async () => {
    for (let tick = 0; tick < 30; tick += 1) {
      feed.push(changes(objects, tick));
      await page.waitForTimeout(100);
    }
  });
  await phase("drawing the graph", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Graph" }).click();
    await page.locator(".graph-node").first().waitFor();
    await page.waitForTimeout(300);
  });
  await phase("switching views", async () => {
    for (const view of ["Controllers", "Events and logs", "Permissions", "Objects"]) {
      await page.getByRole("navigation").getByRole("link", { name: view }).click();
      await page.waitForTimeout(200);
    }
  });
}

// The longest task of the page's main thread. A busy machine lengthens the time on the clock, which users see, and not the processor time.
function longestTask({ traceEvents }, process) {
  const main = traceEvents.find(
    ({ name, args, pid }) => name === "thread_name" && args?.name === "CrRendererMain" && pid === process,
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === "ThreadControllerImpl::RunTask" && pid === process && tid === main?.tid,
  );
  if (tasks.length === 0) throw new Error("the trace has no tasks");
  return {
    processorMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
    clockMs: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
  };
}

// Chromium loads its own pages in other processes.
function processOf({ traceEvents }, url) {
  const navigation = traceEvents.find(
    ({ name, args }) => name === "navigationStart" && args?.data?.documentLoaderURL?.startsWith(url),
  );
  if (navigation === undefined) throw new Error("the trace has no navigation of the page");
  return navigation.pid;
}

function families(summary) {
  return Array.from({ length: OBJECTS / FAMILY }, (_unused, index) => {
    const name = `family-${String(index).padStart(5, "0")}`;
    const namespace = `team-${String(index % 20)}`;
    const owned = (kind, by, more) =>
      summary(kind, `${name}${more}`, {
        namespace,
        owners: [{ uid: `uid-${by.kind}-${by.name}`, kind: by.kind, name: by.name, isController: true }],
        phase: index % 50 === 0 ? "0/2" : "2/2",
        conditions: [{ type: "Available", status: index % 50 === 0 ? "False" : "True" }],
      });
    const owner = summary("Guestbook", name, { apiVersion: "webapp.my.domain/v1", namespace });
    const deployment = owned("Deployment", owner, "");
    const set = owned("ReplicaSet", deployment, "-6d4c9");
    return [owner, deployment, set, owned("Pod", set, "-6d4c9-a"), owned("Pod", set, "-6d4c9-b")];
  }).flat();
}

function changes(objects, tick) {
  return Array.from({ length: CHANGES_PER_SECOND / 10 }, (_unused, index) => {
    const object = objects[(tick * 997 + index * 131) % objects.length];
    return { type: "object", change: "changed", object: { ...object, resourceVersion: String(tick), phase: "1/2" } };
  });
}

function compressedSize() {
  const dist = path.join(DASHBOARD, "dist", "page");
  const files = ["index.html", ...readdirSync(path.join(dist, "assets")).map((name) => path.join("assets", name))];
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(dist, file))).length, 0);
}

await printWhenMain(import.meta.url, measureDashboard);

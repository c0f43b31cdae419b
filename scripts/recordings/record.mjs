// `npm run docs:recordings`: runs the built program at a pseudo-terminal and in a browser, and writes what it shows to docs/recordings as animated SVG.
// Needs Python 3 and Chromium.
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { ROOT } from "../ensure-installed.mjs";
import { photographDashboard } from "./photograph-dashboard.mjs";
import { renderSvg } from "./svg.mjs";

const OUTPUT = path.join(ROOT, "docs", "recordings");
const BRIDGE = path.join(ROOT, "scripts", "recordings", "bridge.py");
const PROGRAM = path.join(ROOT, "dist", "scaffold.cjs");
const SIZE = { columns: 120, rows: 26 };
const TYPING_SECONDS = 0.04;
const LIMIT_MS = 120_000;
const LEFT_OUT = new Set(["node_modules", "dist", ".kubescaffold"]);

mkdirSync(OUTPUT, { recursive: true });
await record("create", "kubescaffold init and scaffold create api", recordCreate);
await record("dev", "scaffold dev", recordDev);

async function record(name, title, run) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-recording-")));
  const project = path.join(folder, "guestbook");
  mkdirSync(project);
  try {
    const outputs = await run(project);
    // The reader's project is in the home folder.
    const shown = outputs.map(([at, each]) => [
      at,
      typeof each === "string" ? each.replaceAll(project, "~/guestbook") : each,
    ]);
    writeFileSync(path.join(OUTPUT, `${name}.svg`), renderSvg(shown, { ...SIZE, title }));
    console.log(`docs/recordings/${name}.svg`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function recordCreate(project) {
  const kind = ["--group", "webapp", "--version", "v1", "--kind", "Guestbook"];
  const commands = [
    {
      program: "npx kubescaffold",
      args: ["init", "--domain", "demo", "--project-name", "guestbook", "--skip-install"],
    },
    { program: "npx scaffold", args: ["create", "api", ...kind, "--resource", "--controller"] },
  ];
  const outputs = [];
  for (const { program, args } of commands) {
    append(outputs, typed([program, ...args].join(" ")));
    append(outputs, await runAtTerminal(project, args));
    install(project);
  }
  return outputs;
}

async function recordDev(project) {
  cpSync(path.join(ROOT, "examples", "guestbook"), project, {
    recursive: true,
    filter: (file) => !LEFT_OUT.has(path.basename(file)),
  });
  install(project);
  const types = path.join(project, "api", "v1", "guestbook_types.ts");
  const steps = [
    { after: "manager running", act: async () => await applySample(project) },
    {
      after: "reconciled",
      act: async ({ output, show }) => {
        const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\/\S+/u.exec(output()) ?? [];
        for await (const picture of photographDashboard(address)) show(picture);
        show(undefined);
        await sleep(1500);
        replaceIn(types, "Maximum=10\n", "Maximum=20\n");
      },
    },
    { after: "CRD applied", act: ({ type }) => type("?") },
    { after: "quit", act: ({ type }) => type("q") },
  ];
  const outputs = typed("npx scaffold dev");
  append(outputs, await runAtTerminal(project, ["dev"], steps));
  return outputs;
}

function install(project) {
  rmSync(path.join(project, "node_modules"), { force: true });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(project, "node_modules"), "junction");
}

async function applySample(project) {
  const { createClient, getConfig } = await import("@kubescaffold/runtime");
  const { readYaml } = await import("@kubescaffold/k8s/yaml");
  const sample = readFileSync(path.join(project, "config", "samples", "webapp_v1_guestbook.yaml"), "utf8");
  const kubeconfig = path.join(project, ".kubescaffold", "dev", "kubeconfig");
  const client = createClient(await getConfig({ kubeconfig }));
  const object = readYaml(sample);
  await client.create({ ...object, metadata: { ...object.metadata, namespace: "default" } });
}

function replaceIn(file, from, to) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  writeFileSync(file, text.replace(from, to));
}

function typed(line) {
  const keys = line.split("").map((each, index) => [0.5 + index * TYPING_SECONDS, each]);
  return [[0, "\u001B[32m$\u001B[39m "], ...keys, [0.8 + line.length * TYPING_SECONDS, "\r\n"]];
}

function append(outputs, later) {
  const end = outputs.at(-1)?.[0] ?? 0;
  for (const [at, text] of later) outputs.push([end + at, text]);
}

/**
 * Runs the program until it exits; a step acts a moment after its text has been shown.
 *
 * A step types, and shows a picture in place of the terminal, until it shows none.
 */
async function runAtTerminal(cwd, args, steps = []) {
  const words = [BRIDGE, String(SIZE.columns), String(SIZE.rows), process.execPath, PROGRAM, ...args];
  const { NO_COLOR: _, FORCE_COLOR: __, ...environment } = { ...process.env, CI: "", TERM: "xterm-256color" };
  const child = spawn("python3", words, { cwd, env: environment, stdio: ["pipe", "pipe", "inherit"] });
  const limit = setTimeout(() => child.kill(), LIMIT_MS);
  const closed = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const outputs = [];
  const waiting = [...steps];
  let acting = Promise.resolve();
  let unseen = "";
  let clockStart = performance.now();
  const screen = {
    type: (keys) => child.stdin.write(keys),
    output: () => outputs.map(([, each]) => (typeof each === "string" ? each : "")).join(""),
    show: (picture) => outputs.push([(performance.now() - clockStart) / 1000, { picture }]),
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [at, text] = JSON.parse(line);
    if (outputs.length === 0) clockStart = performance.now() - at * 1000;
    outputs.push([at, text]);
    unseen += text;
    const index = waiting[0] === undefined ? -1 : unseen.indexOf(waiting[0].after);
    if (index === -1) continue;
    unseen = "";
    const { act } = waiting.shift();
    acting = acting.then(async () => {
      await sleep(1500);
      await act(screen);
    });
  }
  await acting;
  clearTimeout(limit);
  const status = await closed;
  if (status !== 0 || waiting.length > 0)
    throw new Error(`${args.join(" ")} exited with ${String(status)} before ${waiting[0]?.after ?? "its end"}`);
  return outputs;
}

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { PROGRAM } from "../e2e/project-copy.ts";
import { CREATE_API, INIT, runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const CLUSTER = "guestbook-test-e2e";

// Records its calls, has the given clusters, and fails on the given calls.
const KIND = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const call = process.argv.slice(2).join(" ");
appendFileSync(process.env.CALLS, "kind " + call + "\\n");
if (process.env.FAILING && call.startsWith(process.env.FAILING)) process.exit(7);
if (call === "get clusters") process.stdout.write(process.env.CLUSTERS || "");
if (call.startsWith("get kubeconfig")) process.stdout.write("apiVersion: v1\\nkind: Config\\n");
`;

// Runs the scripts of the end-to-end tests as npm does, and nothing else: what they need besides is not what this is about.
const NPM = `#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const script = JSON.parse(readFileSync("package.json", "utf8")).scripts[words[1]];
if (words[0] !== "run" || !/e2e/.test(words[1] || "")) process.exit(0);
const env = { ...process.env, PATH: process.cwd() + "/node_modules/.bin:" + process.env.PATH };
process.exit(spawnSync("sh", ["-c", script], { env, stdio: "inherit" }).status);
`;

const VITEST = `#!/usr/bin/env node
require("node:fs").appendFileSync(process.env.CALLS, "tests\\n");
process.exit(Number(process.env.TESTS_STATUS || "0"));
`;

interface Stubbed {
  readonly make: (target: string, env?: Readonly<Record<string, string>>) => Promise<ProgramResult>;
  readonly calls: () => readonly string[];
}

async function project(): Promise<Stubbed> {
  const tools = temporaryFolder({ kind: KIND, npm: NPM });
  const root = temporaryFolder();
  await runCommands(root, INIT);
  mkdirSync(path.join(root, "node_modules", ".bin"), { recursive: true });
  writeFiles(root, {
    "node_modules/.bin/vitest": VITEST,
    "node_modules/vitest/package.json": "{}",
    "node_modules/vitest/vitest.mjs": VITEST_MODULE,
  });
  const bin = path.join(root, "node_modules/.bin");
  writeFileSync(
    path.join(bin, "scaffold"),
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(PROGRAM)} "$@"\n`,
  );
  for (const file of [
    path.join(tools, "kind"),
    path.join(tools, "npm"),
    path.join(bin, "vitest"),
    path.join(bin, "scaffold"),
  ])
    chmodSync(file, 0o755);
  const calls = path.join(tools, "calls");
  const base = { CALLS: calls, PATH: `${tools}${path.delimiter}${process.env["PATH"] ?? ""}` };
  return {
    make: async (target, env = {}) => await runProgram("make", [target], { cwd: root, env: { ...base, ...env } }),
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
  };
}

const VITEST_MODULE = `import { appendFileSync } from "node:fs";
appendFileSync(process.env.CALLS, "tests\\n");
process.exit(Number(process.env.TESTS_STATUS || "0"));
`;

const CREATE = `kind create cluster --name ${CLUSTER}`;
const DELETE = `kind delete cluster --name ${CLUSTER}`;
const hasMake = process.platform !== "win32" && spawnSync("make", ["--version"]).status === 0;

// With a kind that only records what it is asked, since a real one needs Docker.
describe.skipIf(!hasMake)("scenario 59: the cluster of the end-to-end tests", () => {
  it.each([
    ["pass", "0", 0],
    ["fail", "1", 2],
  ])("is removed when the tests %s, and the status says which", async (_, TESTS_STATUS, status) => {
    const { make, calls } = await project();
    expect(await make("test-e2e", { TESTS_STATUS })).toMatchObject({ status });
    const done = calls().filter((call) => !call.startsWith("kind get"));
    expect(done).toEqual([CREATE, "tests", DELETE]);
  });

  it("is not made again when there is one of exactly this name", async () => {
    const { make, calls } = await project();
    const CLUSTERS = `other\n${CLUSTER}\n`;
    expect(await make("setup-test-e2e", { CLUSTERS })).toMatchObject({ status: 0 });
    expect(calls()).toEqual(["kind get clusters"]);
  });

  it.each([`${CLUSTER}-2\n`, `my-${CLUSTER}\n`, "guestbookXtest-e2e\n", "guestbook\n", ""])(
    "is made beside the clusters %j, whose names are others",
    async (CLUSTERS) => {
      const { make, calls } = await project();
      expect(await make("setup-test-e2e", { CLUSTERS })).toMatchObject({ status: 0 });
      expect(calls()).toEqual(["kind get clusters", CREATE]);
    },
  );

  it("runs no test when it cannot be made", async () => {
    const { make, calls } = await project();
    const { status, output } = await make("test-e2e", { FAILING: "create cluster" });
    expect({ status, output }).toMatchObject({ status: 2 });
    expect(calls()).not.toContain("tests");
  });

  it("is removed by its own command, under the name that KIND_CLUSTER gives", async () => {
    const { make, calls } = await project();
    expect(await make("cleanup-test-e2e", { KIND_CLUSTER: "mine" })).toMatchObject({ status: 0 });
    expect(calls()).toEqual(["kind delete cluster --name mine"]);
  });
});

// Answers with what is beside it, when it is asked for all that calls webhooks.
const KUBECTL = `#!/usr/bin/env node
const { readFileSync } = require("node:fs");
const asked = "get mutatingwebhookconfigurations,validatingwebhookconfigurations,customresourcedefinitions -o json";
if (process.argv.slice(2).join(" ") !== asked) process.exit(1);
process.stdout.write(readFileSync(__dirname + "/answer.json", "utf8"));
`;

describe.skipIf(process.platform === "win32")("the end-to-end tests of webhooks", () => {
  it("find the authorities of all that calls webhooks of the manager, and of nothing else", async () => {
    const client = (namespace: string, caBundle?: string): object => ({ service: { namespace }, caBundle });
    const items = [
      { webhooks: [{ clientConfig: client("guestbook-system", "QQ==") }, { clientConfig: client("other", "Qg==") }] },
      { spec: { conversion: { webhook: { clientConfig: client("guestbook-system") } } } },
      { spec: { conversion: { strategy: "None" } } },
      { webhooks: [{ clientConfig: { url: "https://elsewhere.example" } }] },
    ];
    const tools = temporaryFolder({ kubectl: KUBECTL, "answer.json": JSON.stringify({ items }) });
    chmodSync(path.join(tools, "kubectl"), 0o755);
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const script = `
      import { webhookAuthorities } from "./test/e2e/cluster.ts";
      process.stdout.write(JSON.stringify(webhookAuthorities("guestbook-system")));
    `;
    writeFiles(root, { "ask.ts": script });
    const ask = ["--import", import.meta.resolve("tsx"), "ask.ts"];
    const answer = await runProgram(process.execPath, ask, {
      cwd: root,
      env: { KUBECTL: path.join(tools, "kubectl") },
    });
    expect(answer).toEqual({ status: 0, output: '["QQ==",""]' });
  });

  it("run where a command has written webhooks", async () => {
    const root = temporaryFolder();
    const webhook = "create webhook --group webapp --version v1 --kind Guestbook --defaulting";
    const service = path.join(root, "config/webhook/service.yaml");
    await runCommands(root, INIT, CREATE_API, webhook);
    expect(readFileSync(path.join(root, "test/e2e/e2e.test.ts"), "utf8")).toContain(path.relative(root, service));
    expect(existsSync(service)).toBe(true);
    await runCommands(root, "delete webhook --group webapp --version v1 --kind Guestbook");
    expect(existsSync(service)).toBe(false);
  });
});

import { existsSync, rmSync } from "node:fs";
import path from "node:path";

import { expect, it, vi } from "vitest";

import type { Invocation } from "../../../src/cli/command/command.ts";
import { watchGenerated } from "../../../src/cli/generating/watch-generated.ts";
import { watchSources } from "../../../src/cli/generating/watch-sources.ts";
import { runCli } from "../../../src/cli/run-cli.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const kindOf = (name: string, spec = "string"): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface ${name} extends KubernetesObject {
  spec: ${spec};
}
`;
const CRD = (plural: string): string => `config/crd/demo.example.com_${plural}.yaml`;

interface Session {
  readonly root: string;
  readonly out: () => string;
  readonly errors: () => string;
  readonly seen: (check: () => void) => Promise<void>;
  readonly end: () => Promise<number>;
}

// Listeners of the test runner itself are left alone.
function start(root: string, line: string): Session {
  const before = process.listeners("SIGINT");
  let [out, errors] = ["", ""];
  const status = runCli({
    args: line.split(" "),
    cwd: root,
    terminal: { isInteractive: false, writeOut: (text) => (out += text), writeError: (text) => (errors += text) },
    program: { name: "scaffold", version: "0", packageRoot: root, registry: () => Promise.reject(new TypeError()) },
  });
  return {
    root,
    out: () => out,
    errors: () => errors,
    seen: (check) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
    end: async () => {
      for (const listener of process.listeners("SIGINT")) if (!before.includes(listener)) listener("SIGINT");
      return await status;
    },
  };
}

it("generates now and on every change, says so in one line each, and ends with status 0", async () => {
  const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple") });
  const { out, errors, seen, end } = start(root, "gen crd paths=./... --watch");
  await seen(() => expect(errors()).toContain("watching for changes"));
  expect(out()).toMatch(/^created config\/crd\/demo\.example\.com_apples\.yaml \(\d+ ms\)\n$/u);
  writeFiles(root, { "api/v1/a.ts": kindOf("Apple", "boolean") });
  await seen(() => expect(readFiles(root)[CRD("apples")]).toContain("type: boolean"));
  writeFiles(root, { "api/v2/b.ts": kindOf("Banana") });
  await seen(() => expect(existsSync(path.join(root, CRD("bananas")))).toBe(true));
  await seen(() => expect(out()).toMatch(/^created .*\nchanged .*\ncreated .*bananas\.yaml \(\d+ ms\)\n$/u));
  expect(await end()).toBe(0);
});

it("shows errors, writes nothing for them, and goes on", async () => {
  const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple", "Date") });
  const { errors, seen, end } = start(root, "gen crd paths=./... --watch");
  await seen(() => expect(errors()).toContain("watching for changes"));
  expect(errors()).toContain("api/v1/a.ts:4:9 - error GENERATE_UNSUPPORTED_TYPE");
  expect(existsSync(path.join(root, "config"))).toBe(false);
  writeFiles(root, { "api/v1/a.ts": kindOf("Apple") });
  await seen(() => expect(existsSync(path.join(root, CRD("apples")))).toBe(true));
  expect(await end()).toBe(0);
});

it("generates again, and not at the same time, when a source changes during the first run", async () => {
  const root = temporaryFolder({ "api/a.ts": "" });
  const seenTexts: string[] = [];
  let running = 0;
  const before = process.listeners("SIGINT");
  const ended = watchGenerated(silentIn(root), {
    folders: ["api"],
    generate: async () => {
      running += 1;
      expect(running).toBe(1);
      seenTexts.push(readFiles(root)["api/a.ts"] ?? "");
      if (seenTexts.length === 1) await changeAndBeTold(root);
      running -= 1;
      return [];
    },
  });
  await vi.waitFor(() => expect(seenTexts.at(-1)).toBe("changed"), { timeout: 20_000 });
  for (const listener of process.listeners("SIGINT")) if (!before.includes(listener)) listener("SIGINT");
  await ended;
  expect(seenTexts[0]).toBe("");
});

it("deletes with --prune what the sources no longer define", async () => {
  const root = temporaryFolder({ "api/v1/a.ts": kindOf("Apple"), "api/v1/b.ts": kindOf("Banana") });
  const { errors, out, seen, end } = start(root, "gen crd paths=./... --watch --prune");
  await seen(() => expect(errors()).toContain("watching for changes"));
  rmSync(path.join(root, "api/v1/b.ts"));
  await seen(() => expect(existsSync(path.join(root, CRD("bananas")))).toBe(false));
  await seen(() => expect(out()).toContain("deleted config/crd/demo.example.com_bananas.yaml"));
  expect(await end()).toBe(0);
});

function silentIn(cwd: string): Invocation {
  const program = { name: "scaffold", version: "0", packageRoot: cwd, registry: () => Promise.reject(new TypeError()) };
  const terminal = { isInteractive: false, writeOut: () => undefined, writeError: () => undefined };
  const modes = { isDryRun: false, printsJson: false, canAsk: false, isConfirmed: false };
  return { ...modes, words: [], typed: "gen", cwd, terminal, program, recoveries: [], pluginKeys: [], pluginFlags: {} };
}

// Returns once another watch of the same files has seen the change.
async function changeAndBeTold(root: string): Promise<void> {
  const watch = watchSources(root, ["api"]);
  await watch.ready;
  const told = new Promise<void>((resolve) => watch.begin(async () => resolve()));
  writeFiles(root, { "api/a.ts": "changed" });
  await told;
  await watch.close();
}

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { watchSources } from "../../src/cli/watch-sources.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

async function watching(onChange: () => Promise<void> = async () => undefined): Promise<{
  readonly root: string;
  readonly calls: () => number;
}> {
  const root = temporaryFolder({ "api/v1/a.ts": "", "node_modules/x/b.ts": "", "config/c.yaml": "" });
  let calls = 0;
  const watch = watchSources({
    root,
    folders: ["."],
    onChange: async () => {
      calls += 1;
      await onChange();
    },
  });
  onTestFinished(() => watch.close());
  await watch.ready;
  return { root, calls: () => calls };
}

it.each<readonly [string, (root: string) => void]>([
  ["a source changes", (root) => writeFiles(root, { "api/v1/a.ts": "changed" })],
  ["a source is new", (root) => writeFiles(root, { "api/v1/b.ts": "" })],
  ["a folder of sources is new", (root) => writeFiles(root, { "api/v2/deep/b.ts": "" })],
  ["a source is gone", (root) => rmSync(path.join(root, "api/v1/a.ts"))],
  ["a folder is gone", (root) => rmSync(path.join(root, "api"), { recursive: true })],
])("calls back when %s", async (_, change) => {
  const { root, calls } = await watching();
  change(root);
  await vi.waitFor(() => expect(calls()).toBeGreaterThan(0), { timeout: 10_000 });
});

it("calls back once for a burst, and once more for what changes meanwhile", async () => {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const { root, calls } = await watching(() => held);
  for (let index = 0; index < 50; index += 1) writeFileSync(path.join(root, "api/v1", `new${index}.ts`), "");
  await vi.waitFor(() => expect(calls()).toBe(1), { timeout: 10_000 });
  writeFiles(root, { "api/v1/a.ts": "changed" });
  await vi.waitFor(() => expect(calls()).toBe(1));
  writeFiles(root, { "api/v1/a.ts": "changed again" });
  finish();
  await vi.waitFor(() => expect(calls()).toBe(2), { timeout: 10_000 });
});

it("does not look at libraries, tests, hidden folders and files that are no sources", async () => {
  const { root, calls } = await watching();
  writeFiles(root, {
    "node_modules/x/b.ts": "changed",
    "config/c.yaml": "changed",
    "api/v1/a.test.ts": "",
    ".git/x.ts": "",
  });
  mkdirSync(path.join(root, "dist"));
  writeFiles(root, { "dist/a.ts": "", "api/v1/a.ts": "changed" });
  await vi.waitFor(() => expect(calls()).toBe(1), { timeout: 10_000 });
});

it("calls back no more once it is closed, and waits for the call that runs", async () => {
  const root = temporaryFolder({ "api/a.ts": "" });
  const log: string[] = [];
  const watch = watchSources({
    root,
    folders: ["api"],
    onChange: async () => {
      log.push("begin");
      await Promise.resolve();
      log.push("end");
    },
  });
  await watch.ready;
  writeFiles(root, { "api/a.ts": "changed" });
  await vi.waitFor(() => expect(log).toContain("begin"), { timeout: 10_000 });
  await watch.close();
  expect(log).toEqual(["begin", "end"]);
});

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { mayHoldSources, watchedPlaces, watchSources } from "../../../src/cli/generating/watch-sources.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

async function watching(onChange: (root: string) => Promise<void> = async () => undefined): Promise<{
  readonly root: string;
  readonly calls: () => number;
  /** How many calls ran at once, at most. */
  readonly most: () => number;
}> {
  const root = temporaryFolder({ "api/v1/a.ts": "", "node_modules/x/b.ts": "", "config/c.yaml": "" });
  let [calls, running, most] = [0, 0, 0];
  const watch = watchSources(root, ["."]);
  onTestFinished(() => watch.close());
  await watch.ready;
  watch.begin(async () => {
    calls += 1;
    running += 1;
    most = Math.max(most, running);
    await onChange(root);
    running -= 1;
  });
  return { root, calls: () => calls, most: () => most };
}

// How many events a change makes, and how far apart they come, is up to the system.
const seen = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 });

it.each<readonly [string, (root: string) => void]>([
  ["a source changes", (root) => writeFiles(root, { "api/v1/a.ts": "changed" })],
  ["a source is new", (root) => writeFiles(root, { "api/v1/b.ts": "" })],
  ["a folder of sources is new", (root) => writeFiles(root, { "api/v2/deep/b.ts": "" })],
  ["a source is gone", (root) => rmSync(path.join(root, "api/v1/a.ts"))],
  ["a folder is gone", (root) => rmSync(path.join(root, "api"), { recursive: true })],
])("calls back when %s", async (_, change) => {
  const { root, calls } = await watching();
  change(root);
  await seen(() => expect(calls()).toBeGreaterThan(0));
});

it("calls back once at a time, and once more for what changes meanwhile", async () => {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const { root, calls, most } = await watching(() => held);
  for (let index = 0; index < 50; index += 1) writeFileSync(path.join(root, "api/v1", `new${index}.ts`), "");
  await seen(() => expect(calls()).toBe(1));
  writeFiles(root, { "api/v1/a.ts": "changed" });
  finish();
  await seen(() => expect(calls()).toBeGreaterThan(1));
  expect(most()).toBe(1);
});

it("calls back once for each file that is gone", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `gone${index}.ts`);
  const root = temporaryFolder(Object.fromEntries(names.map((name) => [`api/v1/${name}`, ""])));
  const watch = watchSources(root, ["api"]);
  onTestFinished(() => watch.close());
  await watch.ready;
  const reported: string[] = [];
  watch.begin(async (files) => void reported.push(...files.map((file) => path.basename(file))));
  for (const name of names) {
    rmSync(path.join(root, "api/v1", name));
    await seen(() => expect(reported).toContain(name));
  }
  writeFiles(root, { "api/v1/last.ts": "" });
  await seen(() => expect(reported).toContain("last.ts"));
  expect(reported.filter((name) => name !== "last.ts")).toEqual(names);
});

it("calls back when a named file changes, is gone, and is there again", async () => {
  const root = temporaryFolder({ "api/a.ts": "", PROJECT: "1", other: "" });
  const file = path.join(root, "PROJECT");
  const watch = watchSources(root, ["api"], [file]);
  onTestFinished(() => watch.close());
  await watch.ready;
  const states: (string | undefined)[] = [];
  watch.begin(async (files) => {
    expect(files).toEqual([file]);
    states.push(existsSync(file) ? readFileSync(file, "utf8") : undefined);
  });
  writeFiles(root, { other: "changed", PROJECT: "2" });
  await seen(() => expect(states).toContain("2"));
  rmSync(file);
  await seen(() => expect(states).toContain(undefined));
  // Commands rename a new file into place.
  writeFiles(root, { new: "3" });
  renameSync(path.join(root, "new"), file);
  await seen(() => expect(states).toContain("3"));
  writeFiles(root, { new: "4" });
  renameSync(path.join(root, "new"), file);
  await seen(() => expect(states).toContain("4"));
});

it("looks at sources, and not at libraries, tests, hidden folders and files that are no sources", () => {
  const files = ["a.ts", "v1/a.mts", "a.cts", "a.test.ts", "a.spec.mts", "a.d.ts", "zz_generated.schema.ts", "c.yaml"];
  expect(files.filter((each) => mayHoldSources(path.join("api", each), true))).toEqual(files.slice(0, 3));
  const folders = ["api", "api/v1", "../other", "node_modules", "api/node_modules/x", "dist", ".git", ".git/objects"];
  expect(folders.filter((each) => mayHoldSources(path.normalize(each), false))).toEqual(folders.slice(0, 3));
  expect(mayHoldSources(path.normalize("node_modules/x/b.ts"), true)).toBe(false);
});

it("calls back for a file that changes again in no time, while the call for its first change runs", async () => {
  const versions: string[] = [];
  const { root, calls } = await watching(async (folder) => {
    const file = path.join(folder, "api/v1/a.ts");
    versions.push(readFileSync(file, "utf8"));
    if (versions.length < 5) writeFileSync(file, `change ${versions.length}`);
  });
  writeFiles(root, { "api/v1/a.ts": "change 0" });
  await seen(() => expect(versions.at(-1)).toBe("change 4"));
  expect(calls()).toBeGreaterThanOrEqual(5);
});

// chokidar names folders with slashes.
it.each([
  ["api/v1/a.ts", true],
  ["api\\v1\\a.ts", true],
  ["api", false],
  ["PROJECT", true],
  ["", false],
])("watches on Windows C:/project/%s", (file, isFile) => {
  const { folders, hasPart } = watchedPlaces("C:\\project", ["api"], ["C:\\project\\PROJECT"], path.win32);
  expect(folders).toEqual(["C:\\project\\api", "C:\\project"]);
  expect(hasPart(`C:/project/${file}`.replace(/\/$/u, ""), isFile)).toBe(true);
});

it.each(["api/node_modules/a.ts", "api/a.test.ts", "cmd/a.ts", "README.md"])(
  "does not watch on Windows C:/project/%s",
  (file) => {
    const { hasPart } = watchedPlaces("C:\\project", ["api"], ["C:\\project\\PROJECT"], path.win32);
    expect(hasPart(`C:/project/${file}`, true)).toBe(false);
  },
);

it("calls back once it has begun for what changed since it is ready", async () => {
  const root = temporaryFolder({ "api/a.ts": "" });
  const watch = watchSources(root, ["api"]);
  onTestFinished(() => watch.close());
  await watch.ready;
  writeFiles(root, { "api/a.ts": "changed" });
  // Another watch that sees a later change tells that this one has seen the first.
  const other = watchSources(root, ["api"]);
  onTestFinished(() => other.close());
  await other.ready;
  const told = new Promise<void>((resolve) => other.begin(async () => resolve()));
  writeFiles(root, { "api/a.ts": "changed again" });
  await told;
  const begun = new Promise<string>((resolve) => {
    watch.begin(async () => resolve(readFileSync(path.join(root, "api/a.ts"), "utf8")));
  });
  expect(await begun).toBe("changed again");
});

it("calls back no more once it is closed, and waits for the call that runs", async () => {
  const root = temporaryFolder({ "api/a.ts": "" });
  const log: string[] = [];
  const watch = watchSources(root, ["api"]);
  await watch.ready;
  watch.begin(async () => {
    log.push("begin");
    await Promise.resolve();
    log.push("end");
  });
  writeFiles(root, { "api/a.ts": "changed" });
  await seen(() => expect(log).toContain("begin"));
  await watch.close();
  expect(log.at(-1)).toBe("end");
});

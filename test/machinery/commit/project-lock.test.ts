import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

import { acquireLock } from "../../../src/machinery/commit/project-lock.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { systemError, watchedDisk } from "./faulty-disk.ts";

const since = new Date("2026-01-02T03:04:05Z");

describe("the lock of a project", () => {
  it("is held by one command; the error of a second one names the holder and its start time", async () => {
    const root = temporaryFolder();
    const lock = await acquireLock({
      root,
      command: "scaffold create api",
      pid: 4711,
      now: () => since,
      isAlive: () => true,
    });
    await expect(acquireLock({ root, command: "scaffold edit", isAlive: () => true })).rejects.toMatchObject({
      code: "SCAFFOLD_LOCKED",
      message:
        "cannot start: `scaffold create api` (process 4711) has been running in this project since 2026-01-02T03:04:05.000Z",
      hint: expect.stringContaining(path.join(root, ".kubescaffold", "lock")),
    });
    await lock.release();
    await (await acquireLock({ root, command: "scaffold edit" })).release();
  });

  it("leaves nothing behind when it is given up, which may be done twice", async () => {
    const root = temporaryFolder();
    const lock = await acquireLock({ root, command: "scaffold init" });
    await lock.release();
    await lock.release();
    expect(listFolders(root)).toEqual([]);
  });

  it("says what is where its folder belongs", async () => {
    const root = temporaryFolder({ ".kubescaffold": "" });
    await expect(acquireLock({ root, command: "scaffold edit" })).rejects.toMatchObject({
      code: "SCAFFOLD_NOT_A_FOLDER",
      message: "cannot use .kubescaffold as a folder: it is a file",
    });
    rmSync(path.join(root, ".kubescaffold"));
    symlinkSync("nowhere", path.join(root, ".kubescaffold"));
    await expect(acquireLock({ root, command: "scaffold edit" })).rejects.toMatchObject({
      code: "SCAFFOLD_DANGLING_LINK",
    });
  });

  it("of a dead process is taken over, and what it left is cleaned up", async () => {
    const root = temporaryFolder();
    await acquireLock({ root, command: "scaffold init", pid: 4711 });
    writeFiles(root, { ".kubescaffold/lock.draft-of-a-killed-process": "{" });
    const lock = await acquireLock({ root, command: "scaffold edit", pid: 4712, isAlive: (pid) => pid !== 4711 });
    expect(Object.keys(readFiles(root))).toEqual([".kubescaffold/lock"]);
    expect(readFiles(root)[".kubescaffold/lock"]).toContain("scaffold edit");
    await lock.release();
  });

  it("goes to exactly one of many that start at once", async () => {
    const root = temporaryFolder();
    await acquireLock({ root, command: "scaffold init", pid: 4711 });
    const isAlive = (pid: number): boolean => pid !== 4711;
    const attempts = Array.from({ length: 12 }, (_, index) =>
      acquireLock({ root, command: `scaffold ${index}`, pid: 5000 + index, isAlive }),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
    expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ code: "SCAFFOLD_LOCKED" })));
  });

  it("is not given up by a command that lost it", async () => {
    const root = temporaryFolder();
    const lost = await acquireLock({ root, command: "scaffold init", pid: 4711 });
    const lock = await acquireLock({ root, command: "scaffold edit", pid: 4712, isAlive: () => false });
    await lost.release();
    expect(readFiles(root)[".kubescaffold/lock"]).toContain("scaffold edit");
    await lock.release();
  });

  it.each([
    ["a file of something else", { ".kubescaffold/lock": "not json" }],
    ["a folder", { ".kubescaffold/lock/inner": "" }],
  ])("that is %s tells so, and what to remove", async (_, files) => {
    const root = temporaryFolder(files);
    await expect(acquireLock({ root, command: "scaffold edit" })).rejects.toMatchObject({
      code: "SCAFFOLD_LOCKED",
      message: "cannot start: another command may be running in this project, but its lock does not identify it",
      hint: expect.stringContaining(path.join(root, ".kubescaffold", "lock")),
    });
  });

  it.each(["EROFS", "EACCES", "ENOSPC"])("says what to do when the folder gives %s", async (code) => {
    const disk = watchedDisk(() => {
      throw systemError(code);
    });
    await expect(acquireLock({ root: temporaryFolder(), command: "scaffold init", disk })).rejects.toMatchObject({
      code: "SCAFFOLD_DISK",
      message: expect.stringContaining(code),
      hint: expect.stringContaining("nothing was written"),
    });
  });

  it("leaves nothing behind when the disk is full", async () => {
    const root = temporaryFolder();
    const disk = watchedDisk((operation) => {
      if (operation === "writeSynced") throw systemError("ENOSPC");
    });
    await expect(acquireLock({ root, command: "scaffold init", disk })).rejects.toMatchObject({
      message: `cannot write the project in ${root}: the disk is full (ENOSPC)`,
      hint: "free some space and run the command again; nothing was written",
    });
    expect(listFolders(root)).toEqual([]);
  });
});

describe("a lock that came with the project", () => {
  it.each([
    ["its folder", ".kubescaffold", ".kubescaffold is a symbolic link"],
    ["the lock", ".kubescaffold/lock", "it is a symbolic link"],
  ])("is refused where %s is a link, and what it leads to stays as it is", async (_, link, message) => {
    const folder = temporaryFolder({ "outside/lock": "", "project/PROJECT": "" });
    const root = path.join(folder, "project");
    const dead = { token: "t", pid: 4711, host: hostname(), command: "scaffold init", since: since.toISOString() };
    writeFiles(folder, { "outside/lock": JSON.stringify(dead) });
    mkdirSync(path.dirname(path.join(root, link)), { recursive: true });
    symlinkSync(path.join(folder, "outside", link.endsWith("lock") ? "lock" : ""), path.join(root, link));
    const before = readFiles(folder);
    await expect(acquireLock({ root, command: "scaffold edit", isAlive: () => false })).rejects.toMatchObject({
      code: "SCAFFOLD_SYMBOLIC_LINK",
      message: expect.stringContaining(message),
    });
    expect(readFiles(folder)).toEqual(before);
  });

  it.each([
    ["null", null],
    ["a process that is not a number", { token: "t", pid: "1", host: hostname(), command: "c", since: "s" }],
    ["a process that is a group", { token: "t", pid: -1, host: hostname(), command: "c", since: "s" }],
    ["a command that is not a string", { token: "t", pid: 1, host: hostname(), command: {}, since: "s" }],
    ["more than a lock has", { text: "x".repeat(100_000) }],
  ])("names nobody when it holds %s", async (_, content) => {
    const root = temporaryFolder({ ".kubescaffold/lock": JSON.stringify(content) });
    await expect(acquireLock({ root, command: "scaffold edit" })).rejects.toMatchObject({
      code: "SCAFFOLD_LOCKED",
      message: expect.stringContaining("its lock does not identify it"),
    });
  });

  it("sends no control characters to the terminal", async () => {
    const holder = { token: "t", pid: 1, host: "elsewhere", command: "a\u001B[2Jb", since: "s\u0007" };
    const root = temporaryFolder({ ".kubescaffold/lock": JSON.stringify(holder) });
    await expect(acquireLock({ root, command: "scaffold edit" })).rejects.toMatchObject({
      message: "cannot start: `a?[2Jb` (process 1) has been running in this project since s?",
    });
  });
});

describe("a process that ends while it holds the lock", () => {
  let child: string;
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("lock-child.ts", import.meta.url))],
      write: false,
      conditions: ["@kubescaffold/source"],
      bundle: true,
      platform: "node",
      format: "esm",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      logLevel: "error",
    });
    child = outputFiles[0]?.text ?? "";
  });

  const end = async (root: string, ending: NodeJS.Signals | "failure"): Promise<unknown> => {
    const program = path.join(temporaryFolder({ "child.mjs": child }), "child.mjs");
    const running = spawn(process.execPath, [program, root], { stdio: ["pipe", "pipe", "ignore"] });
    await once(running.stdout, "data");
    expect(Object.keys(readFiles(root))).toEqual([".kubescaffold/dev-lock"]);
    if (ending === "failure") running.stdin.write("fail\n");
    else running.kill(ending);
    const [status, signal] = (await once(running, "close")) as readonly unknown[];
    return signal ?? status;
  };

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("removes it after %s", async (signal) => {
    const root = temporaryFolder();
    expect(await end(root, signal)).toBe(signal);
    expect(listFolders(root)).toEqual([]);
  });

  it("removes it after an error that nobody caught", async () => {
    const root = temporaryFolder();
    expect(await end(root, "failure")).toBe(1);
    expect(listFolders(root)).toEqual([]);
  });
});

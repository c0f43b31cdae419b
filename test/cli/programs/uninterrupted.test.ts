import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { uninterrupted, withTemporaryFolder } from "../../../src/cli/programs/uninterrupted.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe.skipIf(process.platform === "win32")("a signal to a command that reads the output of a program", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends the program and removes the temporary folder: %s",
    async (signal) => {
      const cwd = temporaryFolder();
      const temporary = temporaryFolder();
      const child = spawn(process.execPath, [await bundleChild()], {
        cwd,
        env: { ...process.env, NODE_OPTIONS: "", TMPDIR: temporary },
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const printed = text(child.stdout);
      const closed = once(child, "close");
      await vi.waitFor(() => expect(readPid(cwd)).toBeGreaterThan(0), { timeout: 60_000 });
      expect(readdirSync(temporary)).toHaveLength(1);
      child.kill(signal);
      expect(await closed).toEqual([1, null]);
      expect(await printed).toBe(`interrupted by ${signal}`);
      expect(readdirSync(temporary)).toEqual([]);
      expect(() => process.kill(readPid(cwd), 0)).toThrow("ESRCH");
    },
  );
});

describe("a step that is not interrupted", () => {
  it("returns its result, and leaves no listener and no folder", async () => {
    const before = process.listenerCount("SIGINT");
    const folder = await withTemporaryFolder("kubescaffold-test", async (each) => {
      expect(existsSync(each)).toBe(true);
      return each;
    });
    expect(existsSync(folder)).toBe(false);
    expect(process.listenerCount("SIGINT")).toBe(before);
  });

  it.skipIf(process.platform === "win32")(
    "fails where there is no folder for temporary files, and names the variable",
    async () => {
      const missing = path.join(temporaryFolder(), "missing");
      vi.stubEnv("TMPDIR", missing);
      onTestFinished(() => void vi.unstubAllEnvs());
      await expect(withTemporaryFolder("kubescaffold-test", async (each) => each)).rejects.toMatchObject({
        message: `cannot create a temporary folder in ${missing}: the folder does not exist (ENOENT)`,
        hint: "create it, or set TMPDIR to another folder; nothing was changed",
      });
    },
  );

  it("fails as itself", async () => {
    const failing = uninterrupted(async () => await Promise.reject(new Error("broken")));
    await expect(failing).rejects.toThrow("broken");
  });
});

function readPid(folder: string): number {
  const file = path.join(folder, "pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

// One file, which starts faster than its sources do.
async function bundleChild(): Promise<string> {
  const outfile = path.join(temporaryFolder(), "interrupted-child.cjs");
  const entryPoints = [fileURLToPath(new URL("interrupted-child.ts", import.meta.url))];
  const conditions = ["@kubescaffold/source"];
  await build({ entryPoints, outfile, conditions, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
  return outfile;
}

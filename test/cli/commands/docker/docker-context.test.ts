import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { temporaryFolder } from "../../../support/temporary-folder.ts";

describe.skipIf(process.platform === "win32")("a signal while packages are packed", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("leaves no docker-context folder: %s", async (signal) => {
    const root = temporaryFolder({
      "project/package.json": JSON.stringify({ dependencies: { local: "file:../local" } }),
      "local/package.json": "{}",
      "bin/npm": `#!/bin/sh\n: > "$PWD/packing"\nexec "${process.execPath}" -e "setTimeout(() => {}, 600000)"\n`,
    });
    chmodSync(path.join(root, "bin/npm"), 0o755);
    const project = path.join(root, "project");
    const child = spawn(process.execPath, [await bundleChild()], {
      cwd: project,
      env: { ...process.env, NODE_OPTIONS: "", PATH: `${path.join(root, "bin")}:${process.env["PATH"] ?? ""}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const printed = text(child.stdout);
    const closed = once(child, "close");
    await vi.waitFor(() => expect(existsSync(path.join(root, "local/packing"))).toBe(true), { timeout: 60_000 });
    expect(existsSync(path.join(project, "dist/docker-context/packages"))).toBe(true);
    child.kill(signal);
    expect(await closed).toEqual([1, null]);
    expect(await printed).toBe(`interrupted by ${signal}`);
    expect(existsSync(path.join(project, "dist/docker-context"))).toBe(false);
  });
});

// One file, which starts faster than its sources do.
async function bundleChild(): Promise<string> {
  const outfile = path.join(temporaryFolder(), "docker-context-child.cjs");
  const entryPoints = [fileURLToPath(new URL("docker-context-child.ts", import.meta.url))];
  const conditions = ["@kubescaffold/source"];
  await build({ entryPoints, outfile, conditions, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
  return outfile;
}

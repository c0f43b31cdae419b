import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";

import { temporaryFolder } from "../../support/temporary-folder.ts";

describe.skipIf(process.platform === "win32")("a process without a terminal", () => {
  it("keeps running after SIGHUP, as nohup asks, until another signal", async () => {
    const script = `trap '' HUP; exec "${process.execPath}" "${await bundleChild()}"`;
    const child = spawn("/bin/sh", ["-c", script], {
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const closed = once(child, "close");
    const printed = text(child.stdout);
    await once(child.stdout, "data");
    child.kill("SIGHUP");
    child.kill("SIGTERM");
    expect(await closed).toEqual([3, null]);
    expect(await printed).toBe("waiting\ninterrupted\n");
  });
});

async function bundleChild(): Promise<string> {
  const outfile = path.join(temporaryFolder(), "interruption-child.cjs");
  const entryPoints = [fileURLToPath(new URL("interruption-child.ts", import.meta.url))];
  const conditions = ["@kubescaffold/source"];
  await build({ entryPoints, outfile, conditions, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
  return outfile;
}

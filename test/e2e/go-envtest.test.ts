import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { resolveAsset } from "@kubescaffold/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runProgram, runSuccessfully } from "../support/run-program.ts";

const SETUP = path.join(ROOT, "packages", "envtest", "dist", "stand-ins", "envtest.js");
const LIVENESS_MS = 500_000;
const hasGo = process.platform !== "win32" && spawnSync("go", ["version"]).status === 0;
const realServer = await resolveAsset("kube-apiserver").catch(() => undefined);
if (!hasGo) console.warn("SKIPPED: Go's envtest was NOT run with the stand-ins, since there is no Go on the PATH");
else if (realServer === undefined) {
  console.warn(
    "SKIPPED: the stand-ins were NOT compared with a real control plane; `npm run test:control-plane` builds it",
  );
}

describe.skipIf(!hasGo)("Go's envtest", { timeout: LIVENESS_MS }, () => {
  let folder: string;
  let program: string;
  let standIns: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-go-envtest-"));
    program = path.join(folder, "envtest");
    const module = { cwd: path.join(ROOT, "hack", "envtest"), env: { CGO_ENABLED: "0", GOWORK: "off" } };
    await runSuccessfully("go", ["build", "-mod=readonly", "-buildvcs=false", "-o", program, "."], module);
    standIns = await runSuccessfully(
      process.execPath,
      [SETUP, "setup", "-p", "path", "--directory", path.join(folder, "assets")],
      { cwd: folder },
    );
  }, LIVENESS_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (assets: string) => runProgram(program, [], { cwd: ROOT, env: { KUBEBUILDER_ASSETS: assets } });
  const withoutLog = (output: string): string => output.replaceAll(/^.*TLS handshake error.*\n/gmu, "");

  it("starts, uses, and stops the stand-ins", async () => {
    const { status, output } = await run(standIns);
    expect(withoutLog(output)).toMatchSnapshot();
    expect(status).toBe(0);
  });

  it.skipIf(realServer === undefined)("prints the same with a real control plane", async () => {
    const { output } = await run(path.dirname(realServer ?? ""));
    expect(withoutLog((await run(standIns)).output)).toBe(withoutLog(output));
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { importScript } from "../support/import-script.ts";
import { runProgram } from "../support/run-program.ts";

const { pinnedToolPath } = await importScript<{ readonly pinnedToolPath: (name: string) => string }>(
  "pinned-go-tool.mjs",
);
const REFERENCE = pinnedToolPath("setup-envtest");
const OURS = path.join(ROOT, "packages", "envtest", "dist", "stand-ins", "envtest.js");
const MOUNT = 'mount -t tmpfs -o size=64k tmpfs "$1" || exit 99; shift';
const canMount = spawnSync("unshare", ["-rm", "sh", "-c", MOUNT, "sh", tmpdir()]).status === 0;
const isReady = canMount && existsSync(REFERENCE);
if (!isReady)
  console.warn("SKIPPED: a full disk was NOT tried: it needs setup-envtest, and a system that mounts small disks");

describe.skipIf(!isReady)("on a disk of 64 KiB", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-full-disk-"));
    const archived = path.join(folder, "archived");
    spawnSync("mkdir", ["-p", archived]);
    writeFileSync(path.join(archived, "kube-apiserver"), Buffer.alloc(200_000, 1));
    spawnSync("tar", ["-czf", path.join(folder, "archive.tar.gz"), "-C", archived, "kube-apiserver"]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // The mount is gone when the shell ends, so that the shell lists what is left.
  const sideload = async (program: readonly string[]) =>
    await runProgram(
      "unshare",
      [
        "-rm",
        "sh",
        "-c",
        `${MOUNT}; store=$1; shift; "$@" sideload 1.37.2 --bin-dir "$store" <"${folder}/archive.tar.gz"; status=$?; find "$store/k8s" -mindepth 1; exit $status`,
        "sh",
        path.join(folder, "archived"),
        path.join(folder, "archived"),
        ...program,
      ],
      { cwd: folder },
    );

  it("sideload fails with the status of setup-envtest, names the reason, and leaves nothing behind", async () => {
    const reference = await sideload([REFERENCE]);
    const ours = await sideload([process.execPath, OURS]);
    expect(ours.status).toBe(reference.status);
    expect(ours.output).toMatch(
      /^sideload: cannot write to \S+: the disk is full\nhint: free some space, or use another folder$/u,
    );
  });
});

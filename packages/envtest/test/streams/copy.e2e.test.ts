import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { createEmbeddedCluster, type EmbeddedCluster, type ExecProcess } from "@kubescaffold/cluster";
import { copyFromPod, copyToPod, createRestClient, type RestClient } from "@kubescaffold/runtime";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { resolveAsset } from "../../src/control-plane/assets.ts";
import { kubeconfigOf } from "../../src/control-plane/kubeconfig.ts";
import { runHere, runPod } from "./stream-fixtures.ts";

const POD = { namespace: "default", name: "p" };
const kubectlPath = await resolveAsset("kubectl").catch(() => undefined);

let cluster: EmbeddedCluster;
let rest: RestClient;
let folder: string;
let inPod: string;
let run: (process: ExecProcess) => Promise<number>;
let commands: string[][];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "copy-"));
  inPod = path.join(folder, "pod");
  await mkdir(inPod);
  commands = [];
  run = async (process) => runHere(process, inPod);
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.server.start();
  cluster.images.define("app:*", {
    exec: async (process) => {
      commands.push([...process.command]);
      return run(process);
    },
  });
  await runPod(cluster, "p");
  rest = createRestClient(cluster.config);
});

afterEach(async () => {
  await rest.close();
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

// Has names with spaces, newlines, and other alphabets, modes, an empty file, an empty folder, and a long path.
async function createTree(root: string): Promise<void> {
  const long = path.join(root, "n".repeat(120), "o".repeat(120));
  await mkdir(long, { recursive: true });
  await mkdir(path.join(root, "empty folder"), { mode: 0o750 });
  await writeFile(path.join(long, "file"), "long");
  await writeFile(path.join(root, "empty"), "");
  await writeFile(path.join(root, "two\nlines"), "newline");
  await writeFile(path.join(root, "größe ✓"), "unicode");
  await writeFile(path.join(root, "blocks"), randomBytes(300_000));
  await writeFile(path.join(root, "script.sh"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(path.join(root, "secret"), "s", { mode: 0o600 });
}

async function describeTree(root: string): Promise<Record<string, string>> {
  const names = await readdir(root, { recursive: true });
  const entries = await Promise.all(
    names.toSorted().map(async (name) => {
      const file = path.join(root, name);
      const stats = await lstat(file);
      const mode = (stats.mode & 0o777).toString(8);
      if (stats.isDirectory()) return [name, `folder ${mode}`] as const;
      if (stats.isSymbolicLink()) return [name, `link ${await readlink(file)}`] as const;
      return [
        name,
        `file ${mode} ${createHash("sha256")
          .update(await readFile(file))
          .digest("hex")}`,
      ] as const;
    }),
  );
  return Object.fromEntries(entries);
}

describe("copyToPod", () => {
  it("copies a folder to a new name, with modes, empty files, links, and all names", async () => {
    const source = path.join(folder, "source");
    await createTree(source);
    await symlink("secret", path.join(source, "link"));
    const result = await copyToPod(rest, POD, { source, target: path.join(inPod, "copy") });
    expect(await describeTree(path.join(inPod, "copy"))).toEqual(await describeTree(source));
    expect(result).toMatchObject({ files: 7 });
  });

  it("copies into an existing folder, and merges with a folder of the same name", async () => {
    const source = path.join(folder, "source");
    await createTree(source);
    await mkdir(path.join(inPod, "in"));
    await copyToPod(rest, POD, { source, target: path.join(inPod, "in") });
    await writeFile(path.join(inPod, "in/source/extra"), "kept");
    await copyToPod(rest, POD, { source: `${source}/`, target: `${path.join(inPod, "in")}/` });
    expect(await readFile(path.join(inPod, "in/source/extra"), "utf8")).toBe("kept");
    await rm(path.join(inPod, "in/source/extra"));
    expect(await describeTree(path.join(inPod, "in/source"))).toEqual(await describeTree(source));
  });

  it("replaces a file, and reports the progress", async () => {
    const source = path.join(folder, "a file");
    await writeFile(source, "new");
    await writeFile(path.join(inPod, "b"), "old");
    const progress: unknown[] = [];
    await copyToPod(rest, POD, { source, target: "b", onProgress: (now) => progress.push(now) });
    expect(await describeTree(inPod)).toMatchObject({ b: expect.stringContaining("file 644") as string });
    expect(await readFile(path.join(inPod, "b"), "utf8")).toBe("new");
    expect(progress).toEqual([
      { path: "", files: 0, bytes: 3 },
      { path: "", files: 1, bytes: 3 },
    ]);
  });

  it("guarantee 20: leaves no partial file when it is interrupted, and keeps the file that was there", async () => {
    const source = path.join(folder, "large");
    await createSparse(source, 64 * 1024 * 1024);
    await writeFile(path.join(inPod, "b"), "old");
    const stop = new AbortController();
    const copy = copyToPod(rest, POD, {
      source,
      target: path.join(inPod, "b"),
      signal: stop.signal,
      onProgress: ({ bytes }) => {
        if (bytes > 8 * 1024 * 1024) stop.abort(new Error("enough"));
      },
    });
    await expect(copy).rejects.toThrow("enough");
    expect(await readdir(inPod)).toEqual(["b"]);
    expect(await readFile(path.join(inPod, "b"), "utf8")).toBe("old");
  });

  it("fails with the output of tar, and for sources that cannot be copied", async () => {
    const source = path.join(folder, "s");
    await writeFile(source, "x");
    await expect(copyToPod(rest, POD, { source, target: "missing/folder/s" })).rejects.toMatchObject({
      code: "STREAM_COPY",
      message: expect.stringContaining("missing/folder") as string,
    });
    await expect(copyToPod(rest, POD, { source: `${source}2`, target: "s" })).rejects.toMatchObject({
      code: "STREAM_COPY",
    });
    await execa("mkfifo", [path.join(folder, "pipe")]);
    await expect(copyToPod(rest, POD, { source: path.join(folder, "pipe"), target: "s" })).rejects.toMatchObject({
      code: "STREAM_COPY",
      message: expect.stringContaining("neither a file") as string,
    });
    expect(await readdir(inPod)).toEqual([]);
  });
});

describe("copyFromPod", () => {
  it("copies a folder with modes, empty files, hard links, and all names, and skips symbolic links", async () => {
    const source = path.join(inPod, "source");
    await createTree(source);
    const target = path.join(folder, "a/b/copy");
    const expected = { ...(await describeTree(source)), hard: (await describeTree(source))["secret"] };
    await link(path.join(source, "secret"), path.join(source, "hard"));
    await symlink("/etc/passwd", path.join(source, "link"));
    const skipped: unknown[] = [];
    const result = await copyFromPod(rest, POD, { source, target, onSkippedLink: (...args) => skipped.push(args) });
    expect(await describeTree(target)).toEqual(expected);
    expect(skipped).toEqual([["link", "/etc/passwd"]]);
    expect(result).toMatchObject({ files: 8 });
  });

  it.each(["dir/f", "./dir/f", "dir/../dir/f"])("copies the file %s to a name", async (source) => {
    await mkdir(path.join(inPod, "dir"));
    await writeFile(path.join(inPod, "dir/f"), "content");
    const target = path.join(folder, "f2");
    await writeFile(target, "old");
    expect(await copyFromPod(rest, POD, { source, target })).toEqual({ files: 1, bytes: 7 });
    expect(await readFile(target, "utf8")).toBe("content");
  });

  it("fails with the output of tar for a source that is missing", async () => {
    const copy = copyFromPod(rest, POD, { source: "/none", target: path.join(folder, "x") });
    await expect(copy).rejects.toMatchObject({
      code: "STREAM_COPY",
      message: expect.stringContaining("none") as string,
    });
    expect(await readdir(folder)).toEqual(["pod"]);
  });

  it("guarantee 20: leaves no partial file when it is interrupted, or the connection is lost", async () => {
    await createSparse(path.join(inPod, "large"), 64 * 1024 * 1024);
    const target = path.join(folder, "target/large");
    const stop = new AbortController();
    const onProgress = (): void => stop.abort(new Error("enough"));
    const copy = copyFromPod(rest, POD, { source: "large", target, signal: stop.signal, onProgress });
    await expect(copy).rejects.toThrow("enough");
    expect(await readdir(path.dirname(target))).toEqual([]);
    run = async ({ stdout }) => {
      stdout.write(await readHead(path.join(inPod, "large")));
      await setTimeout(20);
      return 0;
    };
    await expect(copyFromPod(rest, POD, { source: "large", target })).rejects.toMatchObject({ code: "STREAM_COPY" });
    expect(await readdir(path.dirname(target))).toEqual([]);
  });

  it("copies a large file in both directions with flat memory", { timeout: 120_000 }, async () => {
    const size = 320 * 1024 * 1024;
    const source = path.join(folder, "large");
    await createSparse(source, size);
    let highest = 0;
    const before = process.memoryUsage().rss;
    const onProgress = (): void => {
      highest = Math.max(highest, process.memoryUsage.rss() - before);
    };
    await copyToPod(rest, POD, { source, target: "large", onProgress });
    const target = path.join(folder, "back");
    expect(await copyFromPod(rest, POD, { source: "large", target, onProgress })).toEqual({ files: 1, bytes: size });
    expect(await digestOf(target)).toBe(await digestOf(source));
    expect(highest).toBeLessThan(250 * 1024 * 1024);
  });
});

describe.skipIf(kubectlPath === undefined)("kubectl cp", () => {
  async function kubectl(...args: string[]): Promise<void> {
    const { config } = await cluster.listen({ tls: true });
    await writeFile(path.join(folder, "kubeconfig"), kubeconfigOf(config));
    await execa(kubectlPath ?? "", ["--kubeconfig", path.join(folder, "kubeconfig"), "cp", ...args]);
  }

  it.each(["new", "existing", "existing/"])("copies to the same paths of the target %s", async (target) => {
    const source = path.join(folder, "source");
    await createTree(source);
    for (const side of ["ours", "theirs"]) await mkdir(path.join(inPod, side, "existing"), { recursive: true });
    await copyToPod(rest, POD, { source, target: `${inPod}/ours/${target}` });
    await kubectl(source, `default/p:${inPod}/theirs/${target}`);
    expect(await describeTree(path.join(inPod, "ours"))).toEqual(await describeTree(path.join(inPod, "theirs")));
  });

  it.each(["new", "existing"])("copies the same files from a Pod to the target %s", async (target) => {
    const source = path.join(inPod, "source");
    await createTree(source);
    await symlink("secret", path.join(source, "link"));
    for (const side of ["ours", "theirs"]) await mkdir(path.join(folder, side, "existing"), { recursive: true });
    await copyFromPod(rest, POD, { source, target: path.join(folder, "ours", target) });
    await kubectl(`default/p:${source}`, path.join(folder, "theirs", target));
    const withoutModes = async (side: string): Promise<unknown> =>
      Object.entries(await describeTree(path.join(folder, side))).map(([name, text]) => [
        name,
        text.replace(/ \d{3}/u, ""),
      ]);
    expect(await withoutModes("ours")).toEqual(await withoutModes("theirs"));
    expect(commands[0]).toEqual(commands[1]);
  });
});

async function createSparse(file: string, size: number): Promise<void> {
  const handle = await open(file, "w");
  await handle.write("start");
  await handle.write("end", size - 3);
  await handle.close();
  await chmod(file, 0o644);
}

async function readHead(file: string): Promise<Buffer> {
  const archive = execa("tar", ["cf", "-", "-C", path.dirname(file), path.basename(file)], {
    encoding: "buffer",
    reject: false,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of archive.stdout) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > 1024 * 1024) break;
  }
  archive.kill("SIGKILL");
  return Buffer.concat(chunks);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

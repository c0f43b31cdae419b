import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

interface Shell {
  readonly runProgram: (
    argv: readonly string[],
    process: {
      readonly env: Readonly<Record<string, string>>;
      readonly files: unknown;
      readonly signal: AbortSignal;
      readonly out: (text: string) => void;
      readonly err: (text: string) => void;
    },
  ) => Promise<number>;
}

interface Files {
  readonly createFileSystems: () => (container: object) => unknown;
}

const { runProgram } = (await load("shell.mjs")) as Shell;
const { createFileSystems } = (await load("container-files.mjs")) as Files;

const VOLUMES = [
  { name: "shared", hostPath: { path: "/data" } },
  { name: "own", emptyDir: {} },
];
const MOUNTS = [
  { name: "shared", mountPath: "/data" },
  { name: "own", mountPath: "/own" },
];

async function load(file: string): Promise<unknown> {
  return (await import(pathToFileURL(path.join(ROOT, "scripts", "conformance", file)).href)) as unknown;
}

function shell(filesOf = createFileSystems(), uid = "1") {
  const spec = {
    nodeName: "node-0",
    volumes: VOLUMES,
    containers: [{ name: "main", volumeMounts: MOUNTS }],
  };
  const container = { pod: { metadata: { uid }, spec }, container: "main", files: new Map() };
  const files = filesOf(container);
  return async (script: string, env: Record<string, string> = {}) => {
    let output = "";
    const write = (text: string): void => {
      output += text;
    };
    const { signal } = new AbortController();
    const code = await runProgram(["/bin/sh", "-c", script], { env, files, signal, out: write, err: write });
    return { code, output };
  };
}

describe("the shell of simulated containers", () => {
  it("runs lists, pipelines, and conditions", async () => {
    const run = shell();
    expect(await run("exit 3")).toEqual({ code: 3, output: "" });
    expect(await run("false || echo no; true && echo yes")).toEqual({ code: 0, output: "no\nyes\n" });
    expect(await run("echo $(hostname) | cat", { HOSTNAME: "pod" })).toEqual({ code: 0, output: "pod\n" });
    expect(await run("! false; echo $?")).toEqual({ code: 0, output: "0\n" });
    expect((await run("nothing")).code).toBe(127);
    const odd = "if [ $(expr ${INDEX} % 2) -ne 0 ]; then\n  exit 1\nelse\n  exit 0\nfi";
    expect((await run(odd, { INDEX: "3" })).code).toBe(1);
    expect((await run(odd, { INDEX: "4" })).code).toBe(0);
  });

  it("runs loops, and expands words like a shell", async () => {
    const run = shell();
    expect((await run('for each in a "b c"; do echo "<$each>"; done')).output).toBe("<a>\n<b c>\n");
    expect((await run("i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; echo $i")).output).toBe("3\n");
    expect((await run("words='a  b'; echo $words \"$words\"")).output).toBe("a b a  b\n");
    expect((await run("set -e; false; echo no")).code).toBe(1);
    expect((await run("set -e; if false; then echo no; fi; echo yes")).output).toBe("yes\n");
  });

  it("keeps the files of a host path, and gives each pod its other volumes", async () => {
    const filesOf = createFileSystems();
    const once = "if [[ -r /data/mark ]]\nthen\n  exit 0\nelse\n  touch /data/mark\n  exit 42\nfi";
    expect((await shell(filesOf, "1")(once)).code).toBe(42);
    expect((await shell(filesOf, "2")(once)).code).toBe(0);
    await shell(filesOf, "1")("echo 1 > /own/file; echo 2 >> /own/file");
    expect((await shell(filesOf, "1")("cat /own/file")).output).toBe("1\n2\n");
    expect((await shell(filesOf, "2")("cat /own/file")).code).toBe(1);
  });

  it("moves files, and reports those that are missing", async () => {
    const run = shell();
    await run("echo text > /own/a");
    expect((await run("mv -v /own/a /tmp/ || true")).output).toBe("'/own/a' -> '/tmp/a'\n");
    expect(await run("test -f /own/a")).toMatchObject({ code: 1 });
    expect(await run("mv -v /own/a /tmp/ || true")).toMatchObject({ code: 0 });
    expect((await run("cat /tmp/a")).output).toBe("text\n");
  });

  it("ends a script that is killed", async () => {
    const controller = new AbortController();
    const container = { pod: { metadata: { uid: "1" }, spec: { containers: [] } }, container: "c", files: new Map() };
    const ended = runProgram(["sleep", "1000"], {
      env: {},
      files: createFileSystems()(container),
      signal: controller.signal,
      out: () => undefined,
      err: () => undefined,
    });
    controller.abort();
    expect(await ended).toBe(137);
  });
});

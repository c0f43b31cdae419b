import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";

import type { EmbeddedCluster, ExecProcess } from "@kubescaffold/cluster";
import { Pod } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";

/** Runs the command of an exec on this machine, in a folder. */
export async function runHere(
  { command, stdin, stdout, stderr, signal }: ExecProcess,
  folder: string,
): Promise<number> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: folder, signal, killSignal: "SIGKILL" });
  child.stdin.on("error", () => undefined);
  stdin.pipe(child.stdin);
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  const [code] = (await once(child, "close")) as [number];
  return code;
}

/** Creates a Pod with one container `c`, and waits until it runs. */
export async function runPod(
  cluster: EmbeddedCluster,
  name: string,
  container: object = {},
  spec: object = {},
): Promise<void> {
  const client = createClient(cluster.config);
  const containers = [{ name: "c", image: "app:1", stdin: true, ...container }];
  await client.create(Pod.create({ metadata: { name, namespace: "default" }, spec: { containers, ...spec } }));
  await cluster.server.idle();
}

/** A stream that keeps what is written to it. */
export class Sink extends Writable {
  #text = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#text += chunk.toString("latin1");
    this.emit("chunk");
    done();
  }

  /** Returns what was written so far. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when the text contains something. */
  async until(part: string): Promise<void> {
    while (!this.#text.includes(part)) await once(this, "chunk");
  }
}

/** Returns an input that stays open until it is ended. */
export function openInput(): PassThrough {
  return new PassThrough();
}

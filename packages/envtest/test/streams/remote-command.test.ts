import { once } from "node:events";
import { tmpdir } from "node:os";
import { Writable } from "node:stream";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { attach, createRestClient, exec, type RestClient } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { openInput, runHere, runPod, Sink } from "./stream-fixtures.ts";

const POD = { namespace: "default", name: "p" };

let cluster: EmbeddedCluster;

beforeEach(() => {
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.server.start();
  cluster.images.define("app:*", {
    run: async ({ log, stdin, stdout, signal }) => {
      log("started");
      stdin.on("data", (chunk: Buffer) => stdout.write(`got ${chunk.toString()}`));
      await once(signal, "abort");
    },
    exec: async (process) => runHere(process, tmpdir()),
  });
});

afterEach(async () => cluster.close());

async function clientOf(kind: "in-process" | "http" | "tls"): Promise<RestClient> {
  const config: RestConfig =
    kind === "in-process" ? cluster.config : (await cluster.listen({ tls: kind === "tls" })).config;
  return createRestClient(config);
}

describe.each(["in-process", "http", "tls"] as const)("exec over %s", (kind) => {
  it("transfers input, output, and errors, and fails with the exit code", async () => {
    await runPod(cluster, "p");
    const rest = await clientOf(kind);
    const [stdout, stderr] = [new Sink(), new Sink()];
    const stdin = [Buffer.from("hello "), "world"];
    const executor = exec(rest, POD, { command: ["sh", "-c", "cat; echo oops >&2; exit 3"], container: "c" });
    await expect(executor.stream({ stdin: toAsync(stdin), stdout, stderr })).rejects.toMatchObject({
      code: "STREAM_COMMAND_EXIT",
      exitCode: 3,
      message: "command terminated with exit code 3",
    });
    expect([stdout.text, stderr.text]).toEqual(["hello world", "oops\n"]);
    await rest.close();
  });

  it("transfers megabytes without loss in both directions", async () => {
    await runPod(cluster, "p");
    const rest = await clientOf(kind);
    const block = Buffer.alloc(64 * 1024, "0123456789abcdef");
    const stdout = new Sink();
    await exec(rest, POD, { command: ["cat"] }).stream({
      stdin: toAsync(Array.from({ length: 64 }, () => block)),
      stdout,
    });
    expect(stdout.text.length).toBe(64 * block.length);
    expect(stdout.text === block.toString().repeat(64)).toBe(true);
    await rest.close();
  });

  it("is refused with the status of the server", async () => {
    await runPod(cluster, "p");
    const rest = await clientOf(kind);
    const run = async (name: string, container?: string): Promise<void> =>
      exec(rest, { ...POD, name }, { command: ["ls"], ...(container === undefined ? {} : { container }) }).stream({
        stdout: new Sink(),
      });
    await expect(run("none")).rejects.toMatchObject({ code: "CLIENT_STATUS", status: { code: 404 } });
    await expect(run("p", "x")).rejects.toMatchObject({
      message: expect.stringContaining("container x is not valid") as string,
    });
    await rest.close();
  });
});

// Listens for the failure at once, since it may come while something else is awaited.
async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

describe("exec", () => {
  it("ends with the reason of the signal, which also reaches the command", async () => {
    let commandSignal: AbortSignal | undefined;
    cluster.images.define("app:*", {
      exec: async ({ signal, stdout }) => {
        commandSignal = signal;
        stdout.write("ready");
        await once(signal, "abort");
      },
    });
    await runPod(cluster, "p");
    const controller = new AbortController();
    const stdout = new Sink();
    const rest = createRestClient(cluster.config);
    const done = exec(rest, POD, { command: ["wait"] }).stream({
      stdin: openInput(),
      stdout,
      signal: controller.signal,
    });
    const failure = failureOf(done);
    await stdout.until("ready");
    controller.abort(new TypeError("enough"));
    expect(await failure).toMatchObject({ message: "enough" });
    await vi.waitFor(() => expect(commandSignal?.aborted).toBe(true));
  });

  it("fails with the reason of the container runtime if the image does not have the program", async () => {
    cluster.images.define("app:*", { programs: ["/bin/tar"], exec: () => 0 });
    await runPod(cluster, "p");
    const rest = createRestClient(cluster.config);
    const run = async (program: string): Promise<unknown> =>
      await failureOf(exec(rest, POD, { command: [program] }).stream({ stdout: new Sink() }));
    expect(await run("tar")).toBeUndefined();
    expect(await run("sh")).toMatchObject({
      message: expect.stringMatching(
        /error executing command in container: failed to exec in container: failed to start exec "[\da-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in \$PATH: unknown/u,
      ),
    });
    await rest.close();
  });

  it("ends when the client is closed", async () => {
    cluster.images.define("app:*", {
      exec: async ({ signal, stdout }) => {
        stdout.write("ready");
        await once(signal, "abort");
      },
    });
    await runPod(cluster, "p");
    const stdout = new Sink();
    const rest = createRestClient(cluster.config);
    const done = exec(rest, POD, { command: ["wait"] }).stream({ stdout });
    const failure = failureOf(done);
    await stdout.until("ready");
    await rest.close();
    expect(await failure).toMatchObject({ code: "CLIENT_CLOSED" });
  });

  it("fails when the server breaks the connection before the command ends", async () => {
    cluster.images.define("app:*", {
      exec: async ({ signal, stdout }) => {
        stdout.write("ready");
        await once(signal, "abort");
      },
    });
    await runPod(cluster, "p");
    const listener = await cluster.listen();
    const stdout = new Sink();
    const done = exec(createRestClient(listener.config), POD, { command: ["wait"] }).stream({ stdout });
    const failure = failureOf(done);
    await stdout.until("ready");
    await listener.close();
    expect(await failure).toMatchObject({ code: "CLIENT_UNREACHABLE", failure: "closed" });
  });

  it("reads output no faster than its consumer takes it", async () => {
    let written = 0;
    cluster.images.define("app:*", {
      exec: async ({ stdout, signal }) => {
        const block = Buffer.alloc(256 * 1024);
        while (!signal.aborted && written < 1024 * block.length) {
          await new Promise((resolve) => {
            stdout.write(block, resolve);
          });
          written += block.length;
        }
      },
    });
    await runPod(cluster, "p");
    const { config } = await cluster.listen();
    // Takes the first chunk only after a while.
    let take = (): void => undefined;
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => {
        take = done;
      },
    });
    const controller = new AbortController();
    const done = exec(createRestClient(config), POD, { command: ["flood"] })
      .stream({ stdout, signal: controller.signal })
      .catch(() => undefined);
    let before = -1;
    // Until the server stops for lack of space.
    await vi.waitFor(
      () => {
        const [last, now] = [before, written];
        before = now;
        expect([now > 0, last]).toEqual([true, now]);
      },
      { interval: 200, timeout: 10_000 },
    );
    expect(written).toBeLessThan(64 * 1024 * 1024);
    take();
    controller.abort();
    await done;
  });

  it("sends the sizes of the terminal, and merges the outputs", async () => {
    const sizes: unknown[] = [];
    cluster.images.define("app:*", {
      exec: async ({ tty, onResize, stdout, stderr, stdin }) => {
        onResize((size) => sizes.push(size));
        stdout.write(`tty ${String(tty)}\n`);
        stderr.write("error\n");
        for await (const _chunk of stdin);
      },
    });
    await runPod(cluster, "p");
    const [stdout, stderr, stdin] = [new Sink(), new Sink(), openInput()];
    const queue = [
      { width: 80, height: 24 },
      { width: 132, height: 43 },
    ];
    const done = exec(createRestClient(cluster.config), POD, { command: ["sh"] }).stream({
      stdin,
      stdout,
      stderr,
      tty: true,
      terminalSizeQueue: { next: async () => Promise.resolve(queue.shift()) },
    });
    await vi.waitFor(() => expect(sizes).toHaveLength(2));
    stdin.end();
    await done;
    expect(sizes[1]).toEqual({ width: 132, height: 43 });
    expect([stdout.text, stderr.text]).toEqual(["tty true\nerror\n", ""]);
  });

  it("ends with the command, even if its input never ends, and does not destroy the input", async () => {
    await runPod(cluster, "p");
    const stdin = openInput();
    await exec(createRestClient(cluster.config), POD, { command: ["true"] }).stream({ stdin, stdout: new Sink() });
    expect(stdin.destroyed).toBe(false);
  });

  it("fails with the error of its input or output", async () => {
    await runPod(cluster, "p");
    const rest = createRestClient(cluster.config);
    const stdin = (async function* (): AsyncGenerator<string> {
      yield "x";
      throw new TypeError("bad input");
    })();
    await expect(exec(rest, POD, { command: ["cat"] }).stream({ stdin, stdout: new Sink() })).rejects.toThrow(
      "bad input",
    );
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new TypeError("bad output")) });
    stdout.on("error", () => undefined);
    await expect(exec(rest, POD, { command: ["echo"] }).stream({ stdout })).rejects.toThrow("bad output");
  });

  it("of an image without exec fails like a command that is not installed", async () => {
    cluster.images.define("app:*", {});
    await runPod(cluster, "p");
    const done = exec(createRestClient(cluster.config), POD, { command: ["ls"] }).stream({ stdout: new Sink() });
    await expect(done).rejects.toMatchObject({
      status: {
        reason: "InternalError",
        message: expect.stringContaining('exec: "ls": executable file not found') as string,
      },
    });
  });

  it("requires the verb create, as kube-apiserver 1.35 does", async () => {
    await runPod(cluster, "p");
    const rbac = createRestClient(cluster.config);
    const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
    const role = (verbs: readonly string[]): object => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["pods/exec"], verbs }],
    });
    await rbac.request({ method: "POST", path: `${roles}/roles`, body: role(["get"]) });
    await rbac.request({
      method: "POST",
      path: `${roles}/rolebindings`,
      body: {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: "r" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
        subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
      },
    });
    const jane = createRestClient(cluster.addUser({ name: "jane" }));
    const run = async (): Promise<void> => exec(jane, POD, { command: ["true"] }).stream({ stdout: new Sink() });
    await expect(run()).rejects.toMatchObject({ status: { code: 403, message: 'pods "p" is forbidden: ' } });
    await rbac.request({ method: "PUT", path: `${roles}/roles/r`, body: role(["get", "create"]) });
    await expect(run()).resolves.toBeUndefined();
    const john = createRestClient(cluster.addUser({ name: "john" }));
    await expect(exec(john, POD, { command: ["true"] }).stream({ stdout: new Sink() })).rejects.toMatchObject({
      status: { message: expect.stringContaining('User "john" cannot get resource "pods/exec"') as string },
    });
  });
});

describe("attach", () => {
  it("reads the output and writes the input of the main process until it ends", async () => {
    await runPod(cluster, "p");
    const [stdin, stdout] = [openInput(), new Sink()];
    const done = attach(createRestClient(cluster.config), POD).stream({ stdin, stdout });
    stdin.write("one\n");
    await stdout.until("got one\n");
    await createRestClient(cluster.config).request({ method: "DELETE", path: "/api/v1/namespaces/default/pods/p" });
    await done;
    expect(stdout.text).toBe("got one\n");
  });
});

import { Readable, type Writable } from "node:stream";

import { StatusError } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";
import { CHANNELS, encodeTerminalSize, REMOTE_COMMAND_PROTOCOLS, type TerminalSize } from "@kubescaffold/k8s/streams";
import { onAbort } from "@kubescaffold/platform/clock";

import type { ObjectKey } from "../client/client.ts";
import { resourcePath } from "../client/requests.ts";
import { ConnectionError } from "../rest/errors.ts";
import type { RestClient } from "../rest/rest-client.ts";
import type { WebSocketConnection } from "../rest/web-socket.ts";
import { CodeExitError, StreamProtocolError } from "./errors.ts";

export type { TerminalSize } from "@kubescaffold/k8s/streams";

/**
 * Provides the sizes of the local terminal.
 *
 * client-go: tools/remotecommand.TerminalSizeQueue
 */
export interface TerminalSizeQueue {
  /** Resolves with the next size, at first the current one; undefined ends the queue. */
  next(): Promise<TerminalSize | undefined>;
}

/**
 * The streams of a command. Those that are absent are not transferred.
 *
 * client-go: tools/remotecommand.StreamOptions
 */
export interface StreamOptions {
  /** Standard input; its end closes that of the command, except with servers before Kubernetes 1.30. A `Readable` is not destroyed. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** Receives standard output; it is not ended. */
  readonly stdout?: Writable;
  /** Receives standard error; it is not ended. With `tty`, it stays empty, since a terminal has one output. */
  readonly stderr?: Writable;
  /** Requests a terminal. Default: false. */
  readonly tty?: boolean;
  /** The sizes of the terminal. Default: the size is not sent. */
  readonly terminalSizeQueue?: TerminalSizeQueue;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a command in a container, or attaches to its main process.
 *
 * client-go: tools/remotecommand.Executor
 */
export interface Executor {
  /**
   * Transfers the streams until the command ends; each call is a new connection.
   *
   * Guarantees: output is read no faster than `stdout` and `stderr` take it, and `stdin` no faster than the server; when it returns or fails, the connection is closed.
   * Fails: {@link CodeExitError} for an exit code other than 0; `StatusError` if the server refused the request or could not run the command; `ConnectionError`
   * when the connection broke before the command ended; the signal's reason; the error of a stream.
   */
  stream(options: StreamOptions): Promise<void>;
}

/** Options of {@link exec}. */
export interface ExecOptions {
  /** The command with its arguments; no shell interprets it. */
  readonly command: readonly string[];
  /** The container. Default: the only container of the Pod. */
  readonly container?: string;
}

/** Options of {@link attach}. */
export type AttachOptions = Omit<ExecOptions, "command">;

/**
 * Returns the executor of a command in a container of a Pod.
 *
 * client-go: tools/remotecommand.NewWebSocketExecutorForProtocols
 *
 * @example
 * await exec(createRestClient(config), { namespace: "default", name: "web-0" }, { command: ["ls", "/"] }).stream({ stdout: process.stdout });
 */
export function exec(rest: RestClient, key: ObjectKey, { command, container }: ExecOptions): Executor {
  const parameters = command.map((argument) => ["command", argument] as const);
  return {
    stream: async (options) => await stream(rest, { key, subresource: "exec", parameters, container }, options),
  };
}

/**
 * Returns the executor that attaches to the main process of a container.
 *
 * client-go: tools/remotecommand.NewWebSocketExecutorForProtocols
 */
export function attach(rest: RestClient, key: ObjectKey, { container }: AttachOptions = {}): Executor {
  return {
    stream: async (options) => await stream(rest, { key, subresource: "attach", parameters: [], container }, options),
  };
}

interface Target {
  readonly key: ObjectKey;
  readonly subresource: "exec" | "attach";
  readonly parameters: readonly (readonly [string, string])[];
  readonly container: string | undefined;
}

async function stream(rest: RestClient, target: Target, options: StreamOptions): Promise<void> {
  const { namespace = "", name } = target.key;
  const flags = {
    stdin: options.stdin,
    stdout: options.stdout,
    stderr: options.tty === true ? undefined : options.stderr,
  };
  const requested = Object.entries(flags).filter(([, value]) => value !== undefined);
  const socket = await rest.webSocket({
    path: resourcePath({
      gvr: { group: "", version: "v1", resource: "pods" },
      namespace,
      name,
      subresource: target.subresource,
    }),
    query: [
      ...target.parameters,
      ...(target.container === undefined ? [] : [["container", target.container] as const]),
      ...requested.map(([flag]) => [flag, "true"] as const),
      ...(options.tty === true ? [["tty", "true"] as const] : []),
    ],
    protocols: REMOTE_COMMAND_PROTOCOLS,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  try {
    const ended = new AbortController();
    const failed = (error: unknown): void => {
      if (!socket.closed.aborted && !ended.signal.aborted) socket.terminate(error as Error);
    };
    // Both end with the connection at the latest, and their failures end it.
    if (options.stdin !== undefined) sendInput(socket, options.stdin, ended.signal).catch(failed);
    if (options.terminalSizeQueue !== undefined) sendSizes(socket, options.terminalSizeQueue).catch(failed);
    try {
      const result = await receive(socket, options);
      judge(result, { server: rest.config.server, closeCode: socket.closeCode });
    } finally {
      ended.abort();
    }
  } finally {
    if (!socket.closed.aborted) socket.close();
  }
}

/** Sends standard input until it ends, or the command does. */
async function sendInput(
  socket: WebSocketConnection,
  stdin: AsyncIterable<Uint8Array | string>,
  ended: AbortSignal,
): Promise<void> {
  const chunks = (stdin instanceof Readable ? stdin.iterator({ destroyOnReturn: false }) : stdin)[
    Symbol.asyncIterator
  ]();
  try {
    for (;;) {
      const next = await unlessAborted(chunks.next(), ended);
      if (next?.done === true) break;
      if (next === undefined || !(await sendOn(socket, CHANNELS.stdin, Buffer.from(next.value)))) {
        // The source may never produce another chunk, so its end is not awaited.
        void chunks.return?.()?.catch(() => undefined);
        return;
      }
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  }
  if (!ended.aborted && socket.protocol === REMOTE_COMMAND_PROTOCOLS[0]) {
    await sendOn(socket, CHANNELS.close, Buffer.from([CHANNELS.stdin]));
  }
}

// A race with one promise for all chunks would keep each of them in memory until the command ends.
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stopListening = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stopListening = onAbort(signal, () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stopListening();
  }
}

async function sendSizes(socket: WebSocketConnection, queue: TerminalSizeQueue): Promise<void> {
  for (;;) {
    const size = await queue.next();
    if (size === undefined) return;
    if (!(await sendOn(socket, CHANNELS.resize, Buffer.from(encodeTerminalSize(size))))) return;
  }
}

// Reports whether the connection was open. The end of the command closes it while input is sent; whether that is a failure, the receiver decides.
async function sendOn(socket: WebSocketConnection, channel: number, data: Buffer): Promise<boolean> {
  try {
    await socket.send(Buffer.concat([Buffer.from([channel]), data]));
    return true;
  } catch {
    return false;
  }
}

/** Passes the output on until the connection closes; returns the content of the error channel. */
async function receive(socket: WebSocketConnection, { stdout, stderr }: StreamOptions): Promise<string> {
  const result: Buffer[] = [];
  for await (const message of socket.messages()) {
    const data = message.subarray(1);
    if (data.length === 0) continue;
    switch (message[0]) {
      case CHANNELS.stdout:
        if (stdout !== undefined) await write(stdout, data, socket.terminated);
        break;
      case CHANNELS.stderr:
        if (stderr !== undefined) await write(stderr, data, socket.terminated);
        break;
      case CHANNELS.error:
        result.push(data);
        break;
      default:
        throw new StreamProtocolError(`unknown channel ${String(message[0])}`);
    }
  }
  return Buffer.concat(result).toString("utf8");
}

async function write(stream: Writable, data: Buffer, terminated: AbortSignal): Promise<void> {
  let stopListening = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stopListening = onAbort(terminated, () => reject(terminated.reason as Error));
      stream.write(data, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  } finally {
    stopListening();
  }
}

function judge(
  result: string,
  { server, closeCode }: { readonly server: string; readonly closeCode: number | undefined },
): void {
  if (result === "") {
    if (closeCode === NORMAL_CLOSURE) return;
    const detail = "the connection was closed before the command ended";
    throw new ConnectionError(server, { failure: "closed", detail });
  }
  const status = parseStatus(result);
  if (status.status === "Success") return;
  const exitCode = status.reason === "NonZeroExitCode" ? exitCodeOf(status) : undefined;
  throw exitCode === undefined
    ? new StatusError({ kind: "Status", apiVersion: "v1", ...status })
    : new CodeExitError(exitCode);
}

const NORMAL_CLOSURE = 1000;

function parseStatus(text: string): Status {
  try {
    const status = JSON.parse(text) as Status | null;
    if (status?.status === "Success" || status?.status === "Failure") return status;
  } catch (cause) {
    throw new StreamProtocolError(`the result is not a Status: ${JSON.stringify(text.slice(0, 200))}`, { cause });
  }
  throw new StreamProtocolError(`the result is not a Status: ${JSON.stringify(text.slice(0, 200))}`);
}

function exitCodeOf({ details }: Status): number | undefined {
  const message = details?.causes?.find(({ reason }) => reason === "ExitCode")?.message ?? "";
  return /^\d{1,3}$/u.test(message) ? Number(message) : undefined;
}

import { PassThrough, Writable } from "node:stream";

import {
  CHANNELS,
  decodeTerminalSize,
  REMOTE_COMMAND_PROTOCOLS,
  type RemoteCommandProtocol,
  type TerminalSize,
} from "@kubescaffold/k8s/streams";

import type { Channels } from "./channels/channel-codec.ts";
import type { SpdyCommandProtocol } from "./channels/spdy-channels.ts";
import { exitCodeOf } from "./container-exec.ts";
import type { SimulatedContainer } from "./container.ts";
import { execErrorOf } from "./start-events.ts";

const NORMAL_CLOSURE = 1000;

/**
 * The subprotocols of exec and attach that the server speaks. The first version, which a client that offers none gets, too, reports failures as text, and success
 * not at all.
 */
export const SERVED_PROTOCOLS: readonly ServedProtocol[] = [
  ...REMOTE_COMMAND_PROTOCOLS,
  "v4.base64.channel.k8s.io",
  "channel.k8s.io",
  "base64.channel.k8s.io",
  "",
];

export type ServedProtocol =
  | RemoteCommandProtocol
  | "v4.base64.channel.k8s.io"
  | "channel.k8s.io"
  | "base64.channel.k8s.io"
  | "";

// Before version 4, failures were texts.
const TEXT_VERSIONS: ReadonlySet<ServedProtocol | SpdyCommandProtocol> = new Set([
  "",
  "channel.k8s.io",
  "base64.channel.k8s.io",
  "v2.channel.k8s.io",
  "v3.channel.k8s.io",
] as const);

/** Options of a request to run a command in a container, or to attach to its main process. */
export interface RemoteCommandOptions {
  readonly protocol: ServedProtocol | SpdyCommandProtocol;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  readonly command: readonly string[];
}

/** Runs a command in a container for a client, and sends the result. */
export async function serveExec(
  channels: Channels,
  container: SimulatedContainer,
  options: RemoteCommandOptions,
): Promise<void> {
  const { exec } = container.definition;
  const [program = ""] = options.command;
  const client = new RemoteClient(channels, options);
  if (exec === undefined) {
    const detail = `exec: ${JSON.stringify(program)}: executable file not found in $PATH: the definition of the image ${container.spec.image ?? ""} has no exec`;
    await client.end(internalError(`error executing command in container: ${detail}`));
    return;
  }
  const problem = execErrorOf(options.command, container.definition);
  if (problem !== undefined) {
    await client.end(internalError(`error executing command in container: ${problem}`));
    return;
  }
  const stdout = client.output("stdout");
  const stderr = client.output(options.tty ? "stdout" : "stderr");
  const code = await exitCodeOf(
    async () =>
      await exec({
        pod: container.pod,
        container: container.spec.name,
        env: container.config.env,
        files: container.config.files,
        ...container.network,
        command: options.command,
        tty: options.tty,
        signal: AbortSignal.any([channels.closed, container.signal]),
        stdin: client.stdin,
        stdout,
        stderr,
        onResize: (listener) => client.onResize(listener),
      }),
    stderr,
  );
  await Promise.all([finished(stdout), finished(stderr)]);
  await client.end(code === 0 ? SUCCESS : exitStatus(code));
}

/** Connects a client to the main process of a container until one of them ends. */
export async function serveAttach(
  channels: Channels,
  container: SimulatedContainer,
  options: RemoteCommandOptions,
): Promise<void> {
  const client = new RemoteClient(channels, options);
  const signal = AbortSignal.any([channels.closed, container.signal]);
  const { stdin, detach } = container.attach({
    write: async (stream, chunk) => await client.send(options.tty ? "stdout" : stream, chunk),
  });
  client.stdin.pipe(stdin, { end: container.spec.stdinOnce === true });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  client.stdin.unpipe(stdin);
  detach();
  await client.end(SUCCESS);
}

/** The far end of a remote command: demultiplexes its messages, and multiplexes the output. */
class RemoteClient {
  readonly stdin: PassThrough = new PassThrough();
  readonly #channels: Channels;
  readonly #options: RemoteCommandOptions;
  readonly #resizeListeners = new Set<(size: TerminalSize) => void>();
  #size: TerminalSize | undefined;

  constructor(channels: Channels, options: RemoteCommandOptions) {
    this.#channels = channels;
    this.#options = options;
    if (!options.stdin) this.stdin.end();
    this.stdin.on("error", () => undefined);
    void this.#receive();
    // Kubelets report with an empty message that the streams are open.
    const first = options.stdout ? "stdout" : options.stderr ? "stderr" : "error";
    this.#sendOn(first, Buffer.alloc(0)).catch(() => undefined);
  }

  /** Sends output, unless the client did not request the stream. */
  async send(stream: "stdout" | "stderr", chunk: Buffer): Promise<void> {
    if (this.#options[stream]) await this.#sendOn(stream, chunk);
  }

  /** Returns a stream that sends its data to the client. */
  output(stream: "stdout" | "stderr"): Writable {
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        void settle(this.send(stream, chunk), done);
      },
    });
    // A client that has gone away; the process is notified by its signal.
    output.on("error", () => undefined);
    return output;
  }

  /** Calls back with the last known size, and with each later one. */
  onResize(listener: (size: TerminalSize) => void): void {
    this.#resizeListeners.add(listener);
    if (this.#size !== undefined) listener(this.#size);
  }

  /** Sends the result and closes the connection. */
  async end(status: CommandStatus): Promise<void> {
    const isText = TEXT_VERSIONS.has(this.#options.protocol);
    const text = isText ? (status.message ?? "") : JSON.stringify(status);
    if (text !== "") await this.#sendOn("error", Buffer.from(text)).catch(() => undefined);
    this.#channels.close(NORMAL_CLOSURE);
  }

  async #sendOn(channel: "stdout" | "stderr" | "error", chunk: Buffer): Promise<void> {
    await this.#channels.send(CHANNELS[channel], chunk);
  }

  async #receive(): Promise<void> {
    for await (const { channel, data } of this.#channels.messages()) {
      switch (channel) {
        case CHANNELS.stdin:
          await this.#input(data);
          break;
        case CHANNELS.resize:
          this.#resize(data.toString("utf8"));
          break;
        case CHANNELS.close:
          if (this.#channels.canHalfClose && data[0] === CHANNELS.stdin) this.stdin.end();
          break;
        default:
          // Clients may not write to the other channels.
          break;
      }
    }
    this.stdin.end();
  }

  // Waits for the process to read, so that the client cannot send faster.
  async #input(data: Buffer): Promise<void> {
    if (data.length === 0 || this.stdin.writableEnded || this.stdin.write(data)) return;
    await new Promise<void>((resolve) => {
      const { stdin } = this;
      const { closed } = this.#channels;
      const proceed = (): void => {
        stdin.off("drain", proceed);
        stdin.off("close", proceed);
        closed.removeEventListener("abort", proceed);
        resolve();
      };
      stdin.on("drain", proceed);
      stdin.on("close", proceed);
      closed.addEventListener("abort", proceed);
    });
  }

  #resize(text: string): void {
    const size = decodeTerminalSize(text);
    if (size === undefined) return;
    this.#size = size;
    for (const listener of this.#resizeListeners) listener(size);
  }
}

async function settle(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

async function finished(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once("close", () => resolve());
    stream.end();
    if (stream.closed) resolve();
  });
}

/** The result of a command, as a `Status` carries it. */
interface CommandStatus {
  readonly metadata: object;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: object;
  readonly code?: number;
}

const SUCCESS: CommandStatus = { metadata: {}, status: "Success" };

function exitStatus(code: number): CommandStatus {
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${String(code)}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

function internalError(message: string): CommandStatus {
  return {
    metadata: {},
    status: "Failure",
    message: `Internal error occurred: ${message}`,
    reason: "InternalError",
    details: { causes: [{ message }] },
    code: 500,
  };
}

import { Writable } from "node:stream";

import type { Clock } from "@kubescaffold/platform/clock";

/** Bytes of output that are kept of each container, like the default of a kubelet; the oldest are dropped. */
const LIMIT_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/** One line of output, or a part of one that was not complete when it was read. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly stream: "stdout" | "stderr";
  /** With the line break, unless the output ended without one. */
  readonly bytes: Buffer;
}

/** The output of one instance of a container. */
export class ContainerLog {
  readonly #clock: Clock;
  #lines: LogLine[] = [];
  // The number of lines that were dropped.
  #dropped = 0;
  #size = 0;
  readonly #partial = new Map<LogLine["stream"], Buffer[]>();
  readonly #waiting = new Set<() => void>();
  #isEnded = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds output; lines are complete at a line break. */
  append(stream: LogLine["stream"], chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#complete(stream, chunk.subarray(start, end + 1));
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces(stream).push(Buffer.from(chunk.subarray(start)));
    this.#wake();
  }

  /** Ends the output; what has no line break becomes the last line. */
  end(): void {
    for (const [stream, pieces] of this.#partial) if (pieces.length > 0) this.#complete(stream, Buffer.alloc(0));
    this.#isEnded = true;
    this.#wake();
  }

  /** Returns the complete lines. */
  lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Yields lines from a number of lines before the end; with `follow`, also later ones until the output ends. */
  async *read(options: {
    readonly tailLines: number | undefined;
    readonly follow: boolean;
    readonly signal: AbortSignal;
  }): AsyncGenerator<LogLine, void, undefined> {
    const count = this.#lines.length;
    let next = this.#dropped + count - Math.min(count, options.tailLines ?? count);
    while (!options.signal.aborted) {
      next = Math.max(next, this.#dropped);
      const line = this.#lines[next - this.#dropped];
      if (line !== undefined) {
        next += 1;
        yield line;
      } else if (this.#isEnded || !options.follow) {
        return;
      } else {
        await this.#changed(options.signal);
      }
    }
  }

  async #changed(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  #complete(stream: LogLine["stream"], end: Buffer): void {
    const bytes = Buffer.concat([...this.#pieces(stream), end]);
    this.#partial.delete(stream);
    this.#lines.push({ time: this.#clock.now(), stream, bytes });
    this.#size += bytes.length;
    if (this.#size > LIMIT_BYTES) this.#drop();
  }

  // Half of the limit at once, since the removal moves all lines that remain.
  #drop(): void {
    let count = 0;
    while (this.#size > LIMIT_BYTES / 2 && count < this.#lines.length - 1) {
      this.#size -= this.#lines[count]?.bytes.length ?? 0;
      count += 1;
    }
    this.#lines = this.#lines.slice(count);
    this.#dropped += count;
  }

  #pieces(stream: LogLine["stream"]): Buffer[] {
    const pieces = this.#partial.get(stream) ?? [];
    this.#partial.set(stream, pieces);
    return pieces;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** An output stream of a process: appends to the log, and passes copies to attached clients. */
export class OutputStream extends Writable {
  readonly #stream: LogLine["stream"];
  readonly #log: ContainerLog;
  readonly #clients: ReadonlySet<AttachedClient>;

  constructor(stream: LogLine["stream"], log: ContainerLog, clients: ReadonlySet<AttachedClient>) {
    super({ decodeStrings: true });
    this.#stream = stream;
    this.#log = log;
    this.#clients = clients;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#log.append(this.#stream, chunk);
    if (this.#clients.size === 0) {
      done();
      return;
    }
    // A client that went away no longer takes output, which is no failure of the process.
    void this.#copy(chunk).finally(done);
  }

  async #copy(chunk: Buffer): Promise<void> {
    await Promise.allSettled([...this.#clients].map((client) => client.write(this.#stream, chunk)));
  }
}

/** A client that follows the output as it is written. */
export interface AttachedClient {
  /** Resolves when the client has taken the output. */
  write(stream: LogLine["stream"], chunk: Buffer): Promise<void>;
}

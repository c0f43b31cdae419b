import { Writable } from "node:stream";

import type { ObjectKey } from "../client/client.ts";
import type { RestClient } from "../rest/rest-client.ts";
import { CodeExitError, CopyError } from "./errors.ts";
import { exec, type StreamOptions } from "./remote-command.ts";

/** The progress of a copy. */
export interface CopyProgress {
  /** The path of the file, relative to the source; empty if the source is a file. */
  readonly path: string;
  /** The number of files that were copied completely. */
  readonly files: number;
  /** The number of bytes of content that were transferred. */
  readonly bytes: number;
}

/** Options of copies in both directions. */
export interface CopyOptions {
  /** The container. Default: the only container of the Pod. */
  readonly container?: string;
  /** Called after each part of a file, and after each file. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Stops the copy when it aborts. */
  readonly signal?: AbortSignal;
}

/** The result of a copy. */
export interface CopyResult {
  /** The number of files that were copied. */
  readonly files: number;
  /** The number of bytes of their content. */
  readonly bytes: number;
}

/** Runs commands in the container of a copy. */
export class CopyCommands {
  readonly #rest: RestClient;
  readonly #key: ObjectKey;
  readonly #container: { readonly container?: string };

  constructor(rest: RestClient, key: ObjectKey, { container }: Pick<CopyOptions, "container">) {
    this.#rest = rest;
    this.#key = key;
    this.#container = container === undefined ? {} : { container };
  }

  /** Runs a command; throws {@link CopyError} with its standard error if it exits with another code than 0. */
  async run(command: readonly string[], options: Omit<StreamOptions, "stderr">): Promise<void> {
    const stderr = new LastText();
    try {
      await exec(this.#rest, this.#key, { command, ...this.#container }).stream({ ...options, stderr });
    } catch (cause) {
      if (!(cause instanceof CodeExitError)) throw cause;
      const detail = stderr.text.trim();
      throw new CopyError(`${command[0] ?? ""} in the container: ${detail === "" ? cause.message : detail}`, { cause });
    }
  }

  /** Reports whether a path of the container is a directory. */
  async isDirectory(path: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await exec(this.#rest, this.#key, { command: ["test", "-d", path], ...this.#container }).stream({
        stdout: new LastText(),
        stderr: new LastText(),
        ...(signal === undefined ? {} : { signal }),
      });
      return true;
    } catch (error) {
      if (error instanceof CodeExitError) return false;
      throw error;
    }
  }
}

/** Counts what a copy has transferred. */
export class CopyCounter {
  readonly #onProgress: ((progress: CopyProgress) => void) | undefined;
  #files = 0;
  #bytes = 0;

  constructor({ onProgress }: Pick<CopyOptions, "onProgress">) {
    this.#onProgress = onProgress;
  }

  /** Counts a part of a file. */
  addBytes(path: string, bytes: number): void {
    this.#bytes += bytes;
    this.#onProgress?.({ path, ...this.result });
  }

  /** Counts a complete file. */
  addFile(path: string): void {
    this.#files += 1;
    this.#onProgress?.({ path, ...this.result });
  }

  get result(): CopyResult {
    return { files: this.#files, bytes: this.#bytes };
  }
}

const KEPT_BYTES = 4096;

/** Keeps the end of what is written to it. */
class LastText extends Writable {
  #last = Buffer.alloc(0);

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#last = Buffer.concat([this.#last, chunk]).subarray(-KEPT_BYTES);
    done();
  }

  get text(): string {
    return this.#last.toString("utf8");
  }
}

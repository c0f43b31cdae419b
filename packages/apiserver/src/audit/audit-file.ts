import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";

import { ScaffoldError, printServerJson } from "@kubescaffold/k8s";
import { makeFolder } from "@kubescaffold/platform/files";

import type { AuditEvent } from "./audit-event.ts";

const STANDARD_OUTPUT = "-";
const STANDARD_OUTPUT_FD = 1;

/**
 * Thrown when the file of the audit log cannot be opened.
 *
 * Fix: Choose a path in a folder that the user of the process can write to.
 */
export class AuditLogError extends ScaffoldError {
  readonly code = "APISERVER_AUDIT_LOG";
}

/** A file of events, one JSON text a line. */
export interface AuditFile {
  readonly write: (event: AuditEvent) => void;
  readonly close: () => void;
}

const LONGEST_WAIT_MS = 5000;

/**
 * Opens a file to append events to, or standard output (`-`). An event is written before its request goes on; one that a pipe does not take in time is
 * dropped, and so are later ones until its reader continues.
 *
 * Fails: AuditLogError.
 */
export function openAuditFile(file: string, longestWaitMs: number = LONGEST_WAIT_MS): AuditFile {
  const fd = file === STANDARD_OUTPUT ? standardOutput() : open(file);
  const lines = new LineWriter(fd, longestWaitMs);
  return {
    write: (event) => {
      lines.write(Buffer.from(`${printServerJson(event)}\n`, "utf8"));
    },
    close: () => {
      if (fd !== STANDARD_OUTPUT_FD) closeSync(fd);
    },
  };
}

// A pipe that Node.js has opened as a stream never blocks.
function standardOutput(): number {
  void process.stdout.writable;
  return STANDARD_OUTPUT_FD;
}

/** Writes lines whole, or not at all. */
class LineWriter {
  readonly #fd: number;
  readonly #longestWaitMs: number;
  /** The end of a line whose beginning has been written. */
  #rest: Uint8Array = Buffer.alloc(0);
  #isBehind = false;

  constructor(fd: number, longestWaitMs: number) {
    this.#fd = fd;
    this.#longestWaitMs = longestWaitMs;
  }

  write(line: Uint8Array): void {
    // Who waits for a reader that has stopped would answer no request any more.
    const patienceMs = this.#isBehind ? 0 : this.#longestWaitMs;
    this.#rest = writeAll(this.#fd, this.#rest, patienceMs);
    const left = this.#rest.length > 0 ? line : writeAll(this.#fd, line, patienceMs);
    const isBehind = left.length > 0;
    if (isBehind && left.length < line.length) this.#rest = left;
    if (isBehind && !this.#isBehind)
      process.stderr.write("the reader of the audit log has stopped: events are dropped until it continues\n");
    this.#isBehind = isBehind;
  }
}

// A pipe takes a part of a long line, or nothing while its reader is behind. Returns what it did not take.
function writeAll(fd: number, line: Uint8Array, patienceMs: number): Uint8Array {
  let [written, waitedMs] = [0, 0];
  while (written < line.length) {
    try {
      written += writeSync(fd, line, written);
      waitedMs = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      if (waitedMs >= patienceMs) break;
      Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
      waitedMs += PAUSE_MS;
    }
  }
  return line.subarray(written);
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 1;

function open(file: string): number {
  try {
    makeFolder(path.dirname(path.resolve(file)));
    // The log names users and what they do.
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw new AuditLogError(`cannot open the audit log ${file}: ${(error as Error).message}`, { cause: error });
  }
}

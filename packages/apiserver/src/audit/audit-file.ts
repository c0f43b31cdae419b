import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";

import { ScaffoldError, printServerJson } from "@kubescaffold/k8s";

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

/**
 * Opens a file to append events to, or standard output (`-`). An event is written before its request goes on.
 *
 * Fails: AuditLogError.
 */
export function openAuditFile(file: string): AuditFile {
  const fd = file === STANDARD_OUTPUT ? STANDARD_OUTPUT_FD : open(file);
  return {
    write: (event) => {
      writeAll(fd, Buffer.from(`${printServerJson(event)}\n`, "utf8"));
    },
    close: () => {
      if (fd !== STANDARD_OUTPUT_FD) closeSync(fd);
    },
  };
}

// A pipe takes a part of a long line, or nothing while its reader is behind.
function writeAll(fd: number, line: Uint8Array): void {
  let written = 0;
  while (written < line.length) {
    try {
      written += writeSync(fd, line, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 1;

function open(file: string): number {
  try {
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    // The log names users and what they do.
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw new AuditLogError(`cannot open the audit log ${file}: ${(error as Error).message}`, { cause: error });
  }
}

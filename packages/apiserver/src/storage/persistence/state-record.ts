import { deepFreeze, type GroupResource, parseServerJson, printServerJson } from "@kubescaffold/k8s";

import type { ApiObject } from "../api-object.ts";

/** A write, as a line of a file: the object that it stored, or none for a delete. */
export interface StateRecord {
  readonly groupResource: GroupResource;
  readonly key: string;
  readonly revision: number;
  readonly object: ApiObject | undefined;
}

// Short names, since they are in each line.
interface Line {
  readonly g: string;
  readonly n: string;
  readonly k: string;
  readonly r: number;
  readonly o?: ApiObject;
}

const CHECKSUM_DIGITS = 8;
const NEWLINE = 10;

/** Returns the line of a record: its CRC-32 in hexadecimal digits, a space, and JSON. */
export function printRecord({ groupResource, key, revision, object }: StateRecord): string {
  const line = { g: groupResource.group, n: groupResource.resource, k: key, r: revision, o: object };
  const json = printServerJson(line);
  return `${checksumOf(json)} ${json}\n`;
}

function checksumOf(text: string | Uint8Array): string {
  // Not imported, since servers without a folder would read it, too, when they start.
  const { crc32 } = process.getBuiltinModule("node:zlib");
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, "0");
}

/** The records of a file, and where they end. */
export interface StateRecords {
  readonly records: readonly StateRecord[];
  /** The number of bytes before an incomplete last record; the size of the file if it has none. */
  readonly completeBytes: number;
  /** The first line that is not a record although others follow, counted from 1; undefined if there is none. */
  readonly corruptLine: number | undefined;
}

/** Reads the lines of a file. A process that is killed while it writes leaves an incomplete last line, which is ignored. */
export function parseRecords(bytes: Buffer): StateRecords {
  const records: StateRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start);
    const record = end < 0 ? undefined : parseRecord(bytes.subarray(start, end));
    if (record === undefined) {
      const isLast = end < 0 || end === bytes.length - 1;
      return { records, completeBytes: start, corruptLine: isLast ? undefined : records.length + 1 };
    }
    records.push(record);
    start = end + 1;
  }
  return { records, completeBytes: start, corruptLine: undefined };
}

function parseRecord(line: Buffer): StateRecord | undefined {
  const json = line.subarray(CHECKSUM_DIGITS + 1);
  if (line.subarray(0, CHECKSUM_DIGITS).toString("latin1") !== checksumOf(json)) return undefined;
  const { g, n, k, r, o } = parseServerJson(json.toString("utf8")) as Line;
  const groupResource = { group: g, resource: n };
  return { groupResource, key: k, revision: r, object: o === undefined ? undefined : deepFreeze(o) };
}

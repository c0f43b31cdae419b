import { isDeepStrictEqual } from "node:util";

import { printServerJson, ScaffoldError } from "@kubescaffold/k8s";

import { encodeCbor } from "../../src/cbor/encode-cbor.ts";
import { readCbor } from "../../src/cbor/read-cbor.ts";
import { firstDifference, type ProtobufCase } from "./protobuf-case.ts";
import type { GoAnswer } from "./protobuf-mutants.ts";

/** Returns where our reading of the CBOR, or our writing of the JSON, differs from Go's. */
export function cborDifferencesOf({ apiVersion, kind, cbor, json }: ProtobufCase): readonly string[] {
  const name = `${apiVersion} ${kind}`;
  const bytes = Buffer.from(cbor, "base64");
  const place = firstDifference(readCbor(bytes), json, "");
  const written = Buffer.from(encodeCbor(json));
  return [
    ...(place === undefined ? [] : [`${name}: reads ${place}`]),
    ...(written.equals(bytes) ? [] : [`${name}: writes ${written.toString("hex")}, not ${bytes.toString("hex")}`]),
  ];
}

/** Returns data items of all types, with tags, unknown lengths, and numbers of each length. */
export function variedItems(): readonly Buffer[] {
  const numbers = [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296].map((value) => BigInt(value));
  const integers = [...numbers, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n].flatMap((value) => [
    head(0, value),
    head(1, value),
  ]);
  return [...integers, ...ITEMS.map((digits) => Buffer.from(digits, "hex"))];
}

const ITEMS = [
  "f90000 f98000 f90001 f903ff f90400 f93c00 f97bff f97c00 fa7f7fffff fa00000001 fb0000000000000001 fb7fefffffffffffff",
  "f4 f5 f6 f7 f0 f820 f8ff f814 e0",
  "40 4161 60 6161 61ff 5f41614162ff 7f61616162ff 5fff 7fff 7f61c3ff 5f6161ff 5f5f4161ffff",
  "80 8101 9f01ff 9fff 8181820102 a0 a1616101 bf616101ff bf6161ff a2616101416102 a10102 a1f601 a1810101 a1d64161f6",
  "c074323031332d30332d32315432303a30343a30305a c01a514b67b0 c11a514b67b0 c1fb41d452d9ec200000 c16161 c120 c1f90000",
  "c0780c323031332d30332d323154 c24101 c34101 c49f0101ff d64161 d54161 d74161 d6820161 d6a1416141ff d6d74161 d9d9f7d64161",
  "d9d9f7d9d9f701 d8640141 d818456449455446 d6 c1 d9d9 c1c001 d6c11a514b67b0 c1d601 db000000000000000101",
].flatMap((line) => line.split(" "));

function head(major: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (major << 5) + 27;
  bytes.writeBigUInt64BE(value, 1);
  return bytes;
}

/** Compares what both make of a data item: values where Go reads it, and the same error where it does not. */
export function differenceOfItem(bytes: Buffer, go: GoAnswer): readonly string[] {
  const ours = answerTo(bytes);
  const isSame =
    ours.error === undefined
      ? go.error === undefined && isDeepStrictEqual(ours.json, normalized(go.json))
      : comparable(ours.error) === comparable(go.error ?? "");
  const texts = [ours, go].map((answer) => answer.error ?? printServerJson(answer.json));
  return isSame ? [] : [`${bytes.toString("hex")}\n   is ${texts.join("\n  not ")}`];
}

// Go tells which part of a time it cannot parse, and names the type of times.
function comparable(error: string): string {
  return error.replace(/: parsing time .*$/su, "").replace("type time.Time", "type int64");
}

function answerTo(bytes: Buffer): GoAnswer {
  try {
    return { json: normalized(readCbor(bytes)) };
  } catch (error) {
    if (error instanceof ScaffoldError) return { error: error.message };
    throw error;
  }
}

// Both replace invalid UTF-8, with different numbers of characters.
function normalized(value: unknown): string {
  return printServerJson(sorted(value) ?? null).replaceAll(/(?:\ufffd|\\ufffd)+/gu, "?");
}

// Go sorts the keys of maps.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, sorted(item)]);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

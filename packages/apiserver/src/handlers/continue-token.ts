import path from "node:path";

import { goUnmarshalError, parseJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { jsonProblem } from "../request/body.ts";
import { badRequest } from "../request/failures.ts";

/** Where the next page of a list begins. */
interface ContinueToken {
  /** The revision of the first page; negative for what is stored now. */
  readonly revision: bigint;
  /** The first key that may be on the page, relative to the namespace of the list. */
  readonly start: string;
}

const VERSION = "meta.k8s.io/v1";

/** Writes a continue token. */
export function encodeContinueToken({ revision, start }: ContinueToken): string {
  const token = `{"v":"${VERSION}","rv":${String(revision)},"start":${JSON.stringify(`/${start}`)}}`;
  return Buffer.from(token).toString("base64url");
}

/** Reads a continue token; fails with 400 for one that no API server writes. */
export function decodeContinueToken(text: string): ContinueToken {
  const { v, rv, start } = readFields(jsonOf(text));
  if (v !== VERSION) throw invalidToken(`: server does not recognize this encoded version ${v}`);
  if (rv === 0n) throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (start === "") throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  const key = start.startsWith("/") ? start : `/${start}`;
  // A key with steps would leave the namespace of the list.
  const isClean = path.posix.normalize(key) === key && (key === "/" || !key.endsWith("/"));
  if (!isClean) throw invalidToken(`: ${start}`);
  return { revision: rv, start: key.slice(1) };
}

function jsonOf(text: string): string {
  const compact = text.replaceAll(/[\r\n]/gu, "");
  const valid = /^[\w-]*/u.exec(compact)?.[0].length ?? 0;
  if (valid < compact.length) throw invalidToken(`: illegal base64 data at input byte ${String(valid)}`);
  if (valid % 4 === 1) throw invalidToken(`: illegal base64 data at input byte ${String(valid - 1)}`);
  return Buffer.from(compact, "base64url").toString("utf8");
}

interface Fields {
  readonly v: string;
  readonly rv: bigint;
  readonly start: string;
}

// Go matches names in any case, and null leaves a field as it is.
function readFields(json: string): Fields {
  const value = parsed(json);
  if (value === null) return { v: "", rv: 0n, start: "" };
  if (!isRecord(value)) throw invalidToken(`: ${goUnmarshalError(value, "storage.continueToken")}`);
  let [v, rv, start] = ["", 0n, ""];
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const field = name.toLowerCase();
    if (field === "v") v = textOf(member, "v");
    else if (field === "start") start = textOf(member, "start");
    else if (field === "rv") rv = revisionOf(member, json);
  }
  return { v, rv, start };
}

function parsed(json: string): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    throw invalidToken(`: ${jsonProblem(json, error)}`);
  }
}

function textOf(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw invalidToken(`: ${goUnmarshalError(value, "string", `struct field continueToken.${field}`)}`);
}

function revisionOf(value: unknown, json: string): bigint {
  const target = "struct field continueToken.rv";
  if (typeof value !== "number" && typeof value !== "bigint") {
    throw invalidToken(`: ${goUnmarshalError(value, "int64", target)}`);
  }
  const literal = [...json.matchAll(/"rv"\s*:\s*(-?\d[\d.eE+-]*)/giu)].at(-1)?.[1] ?? String(value);
  const isInteger = /^-?\d{1,19}$/u.test(literal) && BigInt.asIntN(64, BigInt(literal)) === BigInt(literal);
  if (!isInteger) throw invalidToken(`: json: cannot unmarshal number ${literal} into Go ${target} of type int64`);
  return BigInt(literal);
}

function invalidToken(reason: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${reason}`);
}

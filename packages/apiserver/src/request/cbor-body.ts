import { apiVersionOf, ScaffoldError, StatusError } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { CborLimits } from "../cbor/cbor-limits.ts";
import { checkByteFields } from "../cbor/check-byte-fields.ts";
import { checkWellFormed } from "../cbor/check-well-formed.ts";
import { diagnosticNotation } from "../cbor/diagnostic-notation.ts";
import { HeadReader, type TypeName } from "../cbor/item-head.ts";
import { readCbor, readWellFormed, typeOfItem, unmarshalError } from "../cbor/read-cbor.ts";
import { readTypeMeta, type TypeMeta } from "../cbor/read-type-meta.ts";
import { messageOf } from "../protobuf/messages.ts";
import type { MutableJsonObject } from "../storage/api-object.ts";
import { refusing, unhandledMessage, unrecognizedMessage, withDefaults } from "./binary-body.ts";
import type { DecodedBody, ExpectedKind } from "./decoded-body.ts";
import { badRequest } from "./failures.ts";

/**
 * Reads a body in CBOR as the JSON of the same object; one of a built-in kind that states no kind has the expected one.
 *
 * Fails: with 400 when it is not valid, with the messages of kube-apiserver.
 */
export function readCborBody(bytes: Uint8Array, expected: ExpectedKind, limits: CborLimits): DecodedBody {
  const body = { bytes, expected, limits };
  return expected.isCustom === true ? readCustom(body) : readBuiltIn(body);
}

interface CborBody {
  readonly bytes: Uint8Array;
  readonly expected: ExpectedKind;
  readonly limits: CborLimits;
}

// Bodies of custom resources have no Go type; their unknown fields are not reported.
function readCustom(body: CborBody): DecodedBody {
  const { bytes, expected } = body;
  const value = valueOfCustom(body);
  const { kind, apiVersion } = value;
  const missing = (field: string): string => `Object '${field}' is missing in '${diagnosticNotation(bytes)}'`;
  if (typeof kind !== "string" || kind === "") throw badRequest(unrecognizedMessage(bytes, expected, missing("Kind")));
  if (typeof apiVersion !== "string" || apiVersion === "")
    throw badRequest(unhandledMessage({ group: "", version: "", kind }, expected, missing("apiVersion")));
  return { value, duplicateFields: [], text: "", unknownFieldTexts: () => [] };
}

function valueOfCustom({ bytes, expected, limits }: CborBody): MutableJsonObject {
  try {
    const value = readCbor(bytes, { limits }) ?? {};
    if (isRecord(value)) return value;
    throw unmarshalError(typeOfItem(new HeadReader(bytes)), "map[string]interface {}");
  } catch (error) {
    const gvk = withDefaults(statedTypeMeta({ bytes, expected, limits }), expected);
    throw error instanceof ScaffoldError ? badRequest(unhandledMessage(gvk, expected, error.message)) : error;
  }
}

// The kind is read first, whatever the other fields are.
function readBuiltIn(body: CborBody): DecodedBody {
  const { bytes, expected } = body;
  const gvk = withDefaults(statedTypeMeta(body), expected);
  const goType = `${gvk.version}.${gvk.kind}`;
  const message = messageOf(gvk);
  let outermost = "";
  const observeKey = (path: string): void => {
    if (!/[.[]/u.test(path)) outermost = path;
  };
  const value = refusing(
    () => {
      const read = (readWellFormed(bytes, { observeKey, hasGoTypes: true }) ?? {}) as MutableJsonObject;
      if (message !== undefined) checkByteFields(bytes, message, goType);
      return read;
    },
    (reason) =>
      unhandledMessage(
        gvk,
        expected,
        reason.replace("into Go value of type", `into Go struct field ${goType}.${outermost} of type`),
      ),
  );
  return {
    value: { ...value, kind: gvk.kind, apiVersion: apiVersionOf(gvk) },
    duplicateFields: [],
    text: "",
    unknownFieldTexts: (paths) => unknownFieldTexts(bytes, paths),
    rephrase: (error) => rephrased(error, bytes, goType),
  };
}

function statedTypeMeta({ bytes, expected, limits }: CborBody): TypeMeta {
  return refusing(
    () => {
      checkWellFormed(bytes, limits);
      return readTypeMeta(bytes);
    },
    (reason) => unrecognizedMessage(bytes, expected, `unable to determine group/version/kind: ${reason}`),
  );
}

// Of the fields that a kind does not have, the sentence has the index of one: a field of an outer object before those of the objects in it.
function unknownFieldTexts(bytes: Uint8Array, paths: readonly string[]): readonly string[] {
  const unknown = new Set(paths);
  const found: { readonly path: string; readonly index: number }[] = [];
  const observeKey = (path: string, index: number): void => {
    if (unknown.has(path)) found.push({ path, index });
  };
  readWellFormed(bytes, { observeKey, hasGoTypes: true });
  const [first] = found;
  if (first === undefined) return [];
  const outer = found
    .filter(({ path }) => isOuter(parentOf(path), first.path))
    .reduce((best, each) => (parentOf(each.path).length < parentOf(best.path).length ? each : best), first);
  return [`cbor: found unknown field at map element index ${String(outer.index)}`];
}

// The path of the object that contains a field; empty for the outermost one.
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function isOuter(parent: string, path: string): boolean {
  return parent === "" || path.startsWith(`${parent}.`);
}

const TYPE_MISMATCH = /json: cannot unmarshal (\S+) into Go (?:struct field \w+\.(\S+)|value) of type (.+)$/su;
const NOT_BASE64 = /illegal base64 data at input byte \d+$/u;

// Fields are decoded as those of JSON, with other messages: they name the type in CBOR, and the outermost field.
function rephrased(error: unknown, bytes: Uint8Array, goType: string): unknown {
  if (!(error instanceof StatusError)) return error;
  const { message } = error;
  const base64 = NOT_BASE64.exec(message);
  if (base64 !== null) {
    const text = `cbor: failed to decode base64 from byte string: ${base64[0]}`;
    return badRequest(message.replace(/: (?:json: )?[^:]*illegal base64 .*$/su, `: ${text}`));
  }
  const [matched, jsonType = "", path = "", type = ""] = TYPE_MISMATCH.exec(message) ?? [];
  if (matched === undefined) return error;
  const [outermost = ""] = path.split(/[.[]/u);
  const cborType = typeAt(bytes, path, jsonType);
  const text = `cbor: cannot unmarshal ${cborType} into Go struct field ${goType}.${outermost} of type ${type}`;
  return badRequest(message.replace(matched, text));
}

const TYPES_OF_JSON: Readonly<Record<string, readonly TypeName[]>> = {
  number: ["positive integer", "negative integer", "primitives"],
  string: ["UTF-8 text string", "byte string"],
  array: ["array"],
  object: ["map"],
  bool: ["primitives"],
};

// Returns the type of the first item at a path, or below it, that JSON names so.
function typeAt(bytes: Uint8Array, path: string, jsonType: string): TypeName {
  const types = TYPES_OF_JSON[jsonType.replace(/,$/u, "")] ?? [];
  let found: TypeName | undefined;
  readWellFormed(bytes, {
    hasGoTypes: true,
    observeType: (at, type) => {
      const isThere = `${at.replaceAll(/\[\d+\]/gu, "")}.`.startsWith(`${path}.`);
      if (isThere && types.includes(type)) found ??= type;
    },
  });
  return found ?? "primitives";
}

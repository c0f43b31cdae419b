import { checkJsonDepth, deepClone, goUnmarshalError, type JSONValue } from "@kubescaffold/k8s";

import { deepEqual } from "../json/deep-equal.ts";
import { isJsonList, isJsonObject, memberOf } from "../json/json-value.ts";
import { InvalidPatchError, PatchNotApplicableError, PatchTooLargeError } from "../model/errors.ts";
import { addAt, findContainer, getFrom, removeFrom, replaceIn, type Container } from "./json-patch-container.ts";

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  /** The operation, such as `add`. */
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  /** A JSON pointer to the target. */
  readonly path: string;
  /** A JSON pointer to the source of `copy` and `move`. */
  readonly from?: string;
  /** The value of `add`, `replace` and `test`. */
  readonly value?: JSONValue;
}

/** Limits of a JSON patch. */
export interface JsonPatchLimits {
  /** The most operations, 10000 as for the requests of users; mutating webhooks may answer any number. */
  readonly mostOperations?: number;
}

const MOST_OPERATIONS = 10_000;
const MOST_COPIED_BYTES = 3 * 1024 * 1024;
const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/**
 * Applies a JSON patch as kube-apiserver does.
 *
 * It differs from the RFC where kube-apiserver differs: `replace` of an absent member sets it, negative indexes count
 * from the end, `copy` of an absent member copies null, and `test` against an absent member passes for null.
 *
 * Guarantees: neither document nor patch are changed; all operations apply or none.
 * Fails: {@link InvalidPatchError} when it is no patch, {@link PatchTooLargeError} above the operations allowed,
 * {@link PatchNotApplicableError} when an operation fails, a `test` included, or the copies of `copy` take up more than 3 MiB,
 * `JsonDepthError` when the result is nested too deeply.
 */
export function applyJsonPatch(
  document: JSONValue,
  patch: JSONValue,
  { mostOperations = MOST_OPERATIONS }: JsonPatchLimits = {},
): JSONValue {
  const operations = decodePatch(patch);
  if (operations.length > mostOperations) {
    throw new PatchTooLargeError(
      `The allowed maximum operations in a JSON patch is ${String(mostOperations)}, got ${String(operations.length)}`,
    );
  }
  // JSON values are cloned so that operations may change the copy in place.
  const root: Root = { value: deepClone(document) as Container, copiedBytes: 0 };
  for (const operation of operations) {
    applyOperation(root, operation);
  }
  checkJsonDepth(root.value);
  return root.value;
}

interface Root {
  value: Container;
  /** What all copies so far take up as JSON. */
  copiedBytes: number;
}

/** Returns the messages of strict field validation about members that no operation has, such as `json patch unknown field "[0].foo"`. */
export function unknownJsonPatchFields(patch: JSONValue): readonly string[] {
  return isJsonList(patch)
    ? patch.flatMap((operation, index) =>
        Object.keys(isJsonObject(operation) ? operation : {})
          .filter((name) => !KNOWN_MEMBERS.has(name))
          .map((name) => `json patch unknown field "[${String(index)}].${name}"`),
      )
    : [];
}

type DecodedOperation = { readonly [key: string]: JSONValue };

function decodePatch(patch: JSONValue): readonly DecodedOperation[] {
  if (patch === null) {
    return [];
  }
  if (!isJsonList(patch)) {
    throw badPatch(goUnmarshalError(patch, "[]handlers.jsonPatchOp"));
  }
  return patch.map(decodeOperation);
}

function decodeOperation(operation: JSONValue): DecodedOperation {
  if (operation === null) {
    return {};
  }
  if (!isJsonObject(operation)) {
    throw badPatch(goUnmarshalError(operation, "handlers.jsonPatchOp"));
  }
  for (const name of ["op", "path", "from"]) {
    const value = memberOf(operation, name);
    if (value !== undefined && value !== null && typeof value !== "string") {
      throw badPatch(goUnmarshalError(value, "string", `struct field jsonPatchOp.${name}`));
    }
  }
  return operation;
}

function badPatch(reason: string): InvalidPatchError {
  return new InvalidPatchError(`error decoding patch: ${reason}`);
}

function applyOperation(root: Root, operation: DecodedOperation): void {
  const op = textOf(operation, "op") ?? "unknown";
  switch (op) {
    case "add":
      return add(root, operation);
    case "remove":
      return remove(root, operation);
    case "replace":
      return replace(root, operation);
    case "move":
      return move(root, operation);
    case "test":
      return test(root, operation);
    case "copy":
      return copy(root, operation);
    default:
      throw new PatchNotApplicableError(`Unexpected kind: ${op}`);
  }
}

function textOf(operation: DecodedOperation, name: string): string | undefined {
  const value = memberOf(operation, name);
  return typeof value === "string" ? value : undefined;
}

function pathOf(operation: DecodedOperation, failure: string): string {
  const path = textOf(operation, "path");
  if (path === undefined) {
    throw new PatchNotApplicableError(failure);
  }
  return path;
}

const MISSING_PATH = "operation missing path field: missing value";

function add(root: Root, operation: DecodedOperation): void {
  const path = pathOf(operation, "add operation failed to decode path: missing value");
  const place = findContainer(
    root.value,
    path,
    `add operation does not apply: doc is missing path: "${path}": missing value`,
  );
  addAt(place, valueOf(operation), (reason) => `error in add for path: '${path}': ${reason}`);
}

function remove(root: Root, operation: DecodedOperation): void {
  const path = pathOf(operation, "remove operation failed to decode path: missing value");
  const place = findContainer(
    root.value,
    path,
    `remove operation does not apply: doc is missing path: "${path}": missing value`,
  );
  removeFrom(place, (reason) => `error in remove for path: '${path}': ${reason}`);
}

function replace(root: Root, operation: DecodedOperation): void {
  const path = pathOf(operation, `replace operation failed to decode path: ${MISSING_PATH}`);
  const value = valueOf(operation);
  if (path === "") {
    root.value = asContainer(value);
    return;
  }
  const place = findContainer(
    root.value,
    path,
    `replace operation does not apply: doc is missing path: ${path}: missing value`,
  );
  replaceIn(place, value, () => `replace operation does not apply: doc is missing key: ${path}: missing value`);
}

function asContainer(value: JSONValue): Container {
  if (typeof value !== "object" || value === null) {
    throw new PatchNotApplicableError("replace operation value must be object or array: %!w(<nil>)");
  }
  return value as Container;
}

// Later operations may change the value, which stays as it is in the patch.
function valueOf(operation: DecodedOperation): JSONValue {
  return deepClone(memberOf(operation, "value") ?? null);
}

function move(root: Root, operation: DecodedOperation): void {
  const from = fromOf(operation, "move");
  const source = findContainer(
    root.value,
    from,
    `move operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const explain = (reason: string): string => `error in move for path: '${source.key}': ${reason}`;
  const value = getFrom(source, explain) ?? null;
  removeFrom(source, explain);
  const path = pathOf(operation, `move operation failed to decode path: ${MISSING_PATH}`);
  const target = findContainer(
    root.value,
    path,
    `move operation does not apply: doc is missing destination path: ${path}: missing value`,
  );
  addAt(target, value, (reason) => `error in move for path: '${path}': ${reason}`);
}

function copy(root: Root, operation: DecodedOperation): void {
  const from = fromOf(operation, "copy");
  const source = findContainer(
    root.value,
    from,
    `copy operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const value = getFrom(source, (reason) => `error in copy for from: '${from}': ${reason}`) ?? null;
  const path = pathOf(operation, "copy operation failed to decode path: missing value");
  const target = findContainer(
    root.value,
    path,
    `copy operation does not apply: doc is missing destination path: ${path}: missing value`,
  );
  checkCopy(root, value);
  addAt(target, deepClone(value), (reason) => `error while adding value during copy: ${reason}`);
}

// Each copy of what holds the former ones doubles it.
function checkCopy(root: Root, value: JSONValue): void {
  checkJsonDepth(value);
  root.copiedBytes += value === null ? 0 : jsonBytes(value);
  if (root.copiedBytes <= MOST_COPIED_BYTES) return;
  throw new PatchNotApplicableError(
    `Unable to complete the copy, the accumulated size increase of copy is ${String(root.copiedBytes)}, exceeding the limit ${String(MOST_COPIED_BYTES)}`,
  );
}

// The length of a value in the JSON of Go, which escapes some characters.
function jsonBytes(root: JSONValue): number {
  let bytes = 0;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") bytes += stringBytes(value);
    else if (typeof value !== "object" || value === null) bytes += String(value).length;
    else if (isJsonList(value)) {
      bytes += Math.max(value.length + 1, 2);
      for (const item of value) open.push(item);
    } else {
      const names = Object.keys(value);
      bytes += Math.max(2 * names.length + 1, 2);
      for (const name of names) {
        bytes += stringBytes(name);
        open.push(value[name] ?? null);
      }
    }
  }
  return bytes;
}

const PLAIN = /^[\w .,:/-]*$/;
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

function stringBytes(text: string): number {
  if (PLAIN.test(text)) return text.length + 2;
  return Buffer.byteLength(JSON.stringify(text).replaceAll(ESCAPED_BY_GO, "u00000"));
}

function fromOf(operation: DecodedOperation, op: string): string {
  const from = textOf(operation, "from");
  if (from === undefined) {
    throw new PatchNotApplicableError(
      `${op} operation failed to decode from: operation, missing from field: missing value`,
    );
  }
  return from;
}

function test(root: Root, operation: DecodedOperation): void {
  const path = pathOf(operation, `test operation failed to decode path: ${MISSING_PATH}`);
  const expected = memberOf(operation, "value") ?? null;
  const actual = path === "" ? root.value : readTested(root.value, path);
  if (!deepEqual(actual ?? null, expected)) {
    throw new PatchNotApplicableError(`testing value ${path} failed: test failed`);
  }
}

function readTested(document: Container, path: string): JSONValue | undefined {
  const place = findContainer(document, path, `test operation does not apply: is missing path: ${path}: missing value`);
  return getFrom(place, (reason) => `error in test for path: '${path}': ${reason}`);
}

import { goUnmarshalError, type JSONValue } from "@kubescaffold/k8s";

import { InvalidPatchError, PatchNotApplicableError, PatchTooLargeError } from "../errors.ts";
import { deepEqual } from "../json/deep-equal.ts";
import { isJsonList, isJsonObject, memberOf } from "../json/json-value.ts";
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

const MAX_OPERATIONS = 10_000;
const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/**
 * Applies a JSON patch as kube-apiserver does.
 *
 * It differs from the RFC where kube-apiserver differs: `replace` of an absent member sets it, negative indexes count
 * from the end, `copy` of an absent member copies null, and `test` against an absent member passes for null.
 *
 * Guarantees: neither document nor patch are changed; all operations apply or none.
 * Fails: {@link InvalidPatchError} when it is no patch, {@link PatchTooLargeError} above 10000 operations,
 * {@link PatchNotApplicableError} when an operation fails, a `test` included.
 */
export function applyJsonPatch(document: JSONValue, patch: JSONValue): JSONValue {
  const operations = decodePatch(patch);
  // JSON values are cloned so that operations may change the copy in place.
  const root: { value: Container } = { value: structuredClone(document) as Container };
  for (const operation of operations) {
    applyOperation(root, operation);
  }
  return root.value;
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
  const operations = patch.map(decodeOperation);
  if (operations.length > MAX_OPERATIONS) {
    throw new PatchTooLargeError(
      `The allowed maximum operations in a JSON patch is ${String(MAX_OPERATIONS)}, got ${String(operations.length)}`,
    );
  }
  return operations;
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

function applyOperation(root: { value: Container }, operation: DecodedOperation): void {
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

function add(root: { value: Container }, operation: DecodedOperation): void {
  const path = pathOf(operation, "add operation failed to decode path: missing value");
  const place = findContainer(
    root.value,
    path,
    `add operation does not apply: doc is missing path: "${path}": missing value`,
  );
  addAt(place, memberOf(operation, "value") ?? null, (reason) => `error in add for path: '${path}': ${reason}`);
}

function remove(root: { value: Container }, operation: DecodedOperation): void {
  const path = pathOf(operation, "remove operation failed to decode path: missing value");
  const place = findContainer(
    root.value,
    path,
    `remove operation does not apply: doc is missing path: "${path}": missing value`,
  );
  removeFrom(place, (reason) => `error in remove for path: '${path}': ${reason}`);
}

function replace(root: { value: Container }, operation: DecodedOperation): void {
  const path = pathOf(operation, `replace operation failed to decode path: ${MISSING_PATH}`);
  const value = memberOf(operation, "value") ?? null;
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
  return structuredClone(value) as Container;
}

function move(root: { value: Container }, operation: DecodedOperation): void {
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

function copy(root: { value: Container }, operation: DecodedOperation): void {
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
  addAt(target, structuredClone(value), (reason) => `error while adding value during copy: ${reason}`);
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

function test(root: { value: Container }, operation: DecodedOperation): void {
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

import type { JSONValue } from "@kubescaffold/k8s";

import { deepEqual } from "../json/deep-equal.ts";
import { formatPointer } from "../json/json-pointer.ts";
import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";
import { unfold, type Unfolded } from "../json/unfold.ts";
import type { JsonPatchOperation } from "./json-patch.ts";

/**
 * Creates the JSON merge patch that turns one object into another; an empty object when they are the same.
 *
 * Guarantees: applied to `from` it gives `to`, as long as `to` has no null members, which a merge patch cannot set.
 */
export function createJsonMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  return (unfold<MemberChange>({ before: from, after: to }, changeOf) as JsonObject | undefined) ?? {};
}

/** The values of a member; undefined where it does not exist. */
interface MemberChange {
  readonly before: JSONValue | undefined;
  readonly after: JSONValue | undefined;
}

function changeOf({ before, after }: MemberChange): Unfolded<MemberChange> {
  if (before === after) return { kind: "value", value: undefined };
  if (after === undefined) return { kind: "value", value: null };
  if (isJsonObject(before) && isJsonObject(after)) {
    const removed = Object.keys(before).filter((name) => memberOf(after, name) === undefined);
    const names = [...Object.keys(after).filter((name) => after[name] !== undefined), ...removed];
    const members = names.map(
      (name) => [name, { before: memberOf(before, name), after: memberOf(after, name) }] as const,
    );
    return { kind: "object", members, isOptional: true };
  }
  return { kind: "value", value: before === undefined || !deepEqual(before, after) ? after : undefined };
}

/**
 * Creates a JSON patch that turns one value into another; no operations when they are the same.
 *
 * Lists are compared index by index, their surplus removed or added at the end.
 *
 * Guarantees: applied to `from` it gives `to`.
 */
export function createJsonPatch(from: JSONValue, to: JSONValue): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  const open = [diffOf({ from, to, path: undefined }).values()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: next } = top.next();
    if (done === true) open.pop();
    else if ("op" in next) operations.push(next);
    else open.push(diffOf(next).values());
  }
  return operations;
}

/** The tokens of a JSON pointer, the last one first. */
interface Path {
  readonly parent: Path | undefined;
  readonly token: string;
}

/** Two values at the same place. */
interface Pair {
  readonly from: JSONValue;
  readonly to: JSONValue;
  readonly path: Path | undefined;
}

/** Returns the operations for two values, and the pairs of their parts in between. */
function diffOf({ from, to, path }: Pair): readonly (JsonPatchOperation | Pair)[] {
  if (from === to) return [];
  if (isJsonObject(from) && isJsonObject(to)) return diffObjects(from, to, path);
  if (isJsonList(from) && isJsonList(to)) return diffLists(from, to, path);
  return deepEqual(from, to) ? [] : [{ op: "replace", path: pointerOf(path), value: to }];
}

function diffObjects(from: JsonObject, to: JsonObject, path: Path | undefined): readonly (JsonPatchOperation | Pair)[] {
  const steps: (JsonPatchOperation | Pair)[] = [];
  for (const name of Object.keys(from)) {
    if (memberOf(from, name) !== undefined && memberOf(to, name) === undefined) {
      steps.push({ op: "remove", path: pointerOf({ parent: path, token: name }) });
    }
  }
  for (const [name, value] of Object.entries(to)) {
    const before = memberOf(from, name);
    const inner = { parent: path, token: name };
    if (before === undefined && value !== undefined) {
      steps.push({ op: "add", path: pointerOf(inner), value });
    } else if (before !== undefined && value !== undefined && before !== value) {
      steps.push({ from: before, to: value, path: inner });
    }
  }
  return steps;
}

function diffLists(
  from: readonly JSONValue[],
  to: readonly JSONValue[],
  path: Path | undefined,
): readonly (JsonPatchOperation | Pair)[] {
  const steps: (JsonPatchOperation | Pair)[] = [];
  for (let index = from.length - 1; index >= to.length; index--) {
    steps.push({ op: "remove", path: pointerOf({ parent: path, token: String(index) }) });
  }
  to.forEach((item, index) => {
    const before = from[index];
    if (before === undefined) {
      steps.push({ op: "add", path: pointerOf({ parent: path, token: "-" }), value: item });
    } else if (before !== item) {
      steps.push({ from: before, to: item, path: { parent: path, token: String(index) } });
    }
  });
  return steps;
}

function pointerOf(path: Path | undefined): string {
  const tokens: string[] = [];
  for (let step = path; step !== undefined; step = step.parent) tokens.push(step.token);
  return formatPointer(tokens.toReversed());
}

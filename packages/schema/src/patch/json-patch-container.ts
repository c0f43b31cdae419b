import { goQuote, type JSONValue } from "@kubescaffold/k8s";

import { decodeToken } from "../json/json-pointer.ts";
import { setMember } from "../json/json-value.ts";
import { PatchNotApplicableError } from "../model/errors.ts";

/** Is a JSON object or list that a patch may change. */
export type Container = MutableObject | JSONValue[];

type MutableObject = { [key: string]: JSONValue };

/** Is where an operation works: a container and the key or index in it. */
export interface ContainerPlace {
  readonly container: Container;
  readonly key: string;
}

type Explain = (reason: string) => string;

/** Walks to the container of a pointer's last token. Fails: {@link PatchNotApplicableError} with the sentence given. */
export function findContainer(document: Container, pointer: string, failure: string): ContainerPlace {
  const tokens = pointer.split("/").slice(1).map(decodeToken);
  const key = tokens.pop();
  // A document may be a scalar, in which nothing has a place.
  let container = key === undefined ? undefined : asContainer(document);
  for (const token of tokens) {
    container = container === undefined ? undefined : containerAt(container, token);
  }
  if (container === undefined || key === undefined) {
    throw new PatchNotApplicableError(failure);
  }
  return { container, key };
}

function containerAt(container: Container, token: string): Container | undefined {
  let next: JSONValue | undefined;
  if (Array.isArray(container)) {
    const index = parseIndex(token);
    next = index === undefined ? undefined : container.at(index);
  } else {
    next = readMember(container, token);
  }
  return next === undefined ? undefined : asContainer(next);
}

// The document is a copy of ours, so its lists and objects may be changed.
function asContainer(value: JSONValue | Container): Container | undefined {
  return typeof value === "object" && value !== null ? (value as Container) : undefined;
}

function readMember(object: MutableObject, key: string): JSONValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Reads the value at a place; an absent member of an object is undefined, an absent item of a list fails. */
export function getFrom({ container, key }: ContainerPlace, explain: Explain): JSONValue | undefined {
  if (!Array.isArray(container)) {
    return readMember(container, key);
  }
  const index = requireIndex(key, explain);
  if (index < -container.length || index >= container.length) {
    throw outOfRange(index, explain);
  }
  return container.at(index);
}

/** Adds a value at a place: sets a member, inserts an item, appends at `-`. */
export function addAt({ container, key }: ContainerPlace, value: JSONValue, explain: Explain): void {
  if (!Array.isArray(container)) {
    setMember(container, key, value);
    return;
  }
  if (key === "-") {
    container.push(value);
    return;
  }
  const index = requireIndex(key, (reason) => explain(`value was not a proper array index: '${key}': ${reason}`));
  const size = container.length + 1;
  if (index < -size || index >= size) {
    throw outOfRange(index, explain);
  }
  container.splice(index < 0 ? index + size : index, 0, value);
}

/** Removes the member or item at a place; both must be there. */
export function removeFrom({ container, key }: ContainerPlace, explain: Explain): void {
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) {
      throw new PatchNotApplicableError(explain(`Unable to remove nonexistent key: ${key}: missing value`));
    }
    Reflect.deleteProperty(container, key);
    return;
  }
  const index = requireIndex(key, explain);
  if (index < -container.length || index >= container.length) {
    throw outOfRange(index, explain);
  }
  container.splice(index, 1);
}

/** Sets the member at a place, absent or not, or replaces the item, which must be there. */
export function replaceIn({ container, key }: ContainerPlace, value: JSONValue, explainMissing: () => string): void {
  if (!Array.isArray(container)) {
    setMember(container, key, value);
    return;
  }
  const index = parseIndex(key);
  if (index === undefined || index < -container.length || index >= container.length) {
    throw new PatchNotApplicableError(explainMissing());
  }
  container[index < 0 ? index + container.length : index] = value;
}

function requireIndex(key: string, explain: Explain): number {
  const index = parseIndex(key);
  if (index === undefined) {
    throw new PatchNotApplicableError(explain(`strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`));
  }
  return index;
}

function parseIndex(key: string): number | undefined {
  return /^[-+]?\d+$/.test(key) ? Number(key) : undefined;
}

function outOfRange(index: number, explain: Explain): PatchNotApplicableError {
  return new PatchNotApplicableError(
    explain(`Unable to access invalid index: ${String(index)}: invalid index referenced`),
  );
}

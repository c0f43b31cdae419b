import { formatKey } from "../values/cel-map.ts";
import { CelMessage } from "../values/cel-message.ts";
import { losslessInt } from "../values/cel-number.ts";
import { CelOptional, NO_VALUE } from "../values/cel-optional.ts";
import { CelError, CelList, CelMap, CelObject, CelUint, type CelValue } from "../values/cel-value.ts";
import { noSuchOverload } from "../values/equality.ts";
import { runtimeType } from "../values/runtime-type.ts";
import type { Attribute, Frame, Qualifier, Step } from "./frame.ts";

/** Adds a field or index to what is read; a choice takes it on both sides. */
export function addQualifier(attribute: Attribute, qualifier: Qualifier): Attribute {
  if (attribute.kind === "chain") return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
  const { whenTrue, whenFalse } = attribute;
  return {
    ...attribute,
    whenTrue: addQualifier(whenTrue, qualifier),
    whenFalse: addQualifier(whenFalse, qualifier),
  };
}

/** Reads a chain from its root to its last field; an optional on the way makes the result one. */
export function readAttribute(attribute: Attribute, frame: Frame): CelValue {
  if (attribute.kind === "choice") return readChoice(attribute, frame);
  const root = attribute.root(frame);
  return root instanceof CelError ? root : readChain(root, attribute.qualifiers, frame);
}

function readChoice(choice: Extract<Attribute, { readonly kind: "choice" }>, frame: Frame): CelValue {
  const condition = choice.condition.evaluate(frame);
  if (typeof condition !== "boolean") return condition instanceof CelError ? condition : noSuchOverload();
  return readAttribute(condition ? choice.whenTrue : choice.whenFalse, frame);
}

function readChain(root: CelValue, qualifiers: readonly Qualifier[], frame: Frame): CelValue {
  let isOptional = root instanceof CelOptional;
  let current = root;
  if (root instanceof CelOptional) {
    if (root.held === undefined) return root;
    // What an optional holds is read without its schema, as upstream does.
    current = root.held instanceof CelObject ? root.held.plain() : root.held;
  }
  for (const qualifier of qualifiers) {
    isOptional ||= qualifier.isOptional;
    const next = qualify(current, qualifier, frame, isOptional);
    if (next instanceof CelError) return next;
    if (next === undefined) return NO_VALUE;
    current = next;
  }
  return isOptional ? new CelOptional(current) : current;
}

function qualify(value: CelValue, qualifier: Qualifier, frame: Frame, mayBeMissing: boolean): CelValue | undefined {
  const key = keyOf(qualifier, frame);
  if (key instanceof CelError) return key;
  const found = find(value, key, mayBeMissing || qualifier.isPresenceTest);
  if (qualifier.isPresenceTest) {
    frame.observer?.qualifier();
    return found instanceof CelError ? found : found !== undefined;
  }
  // A field that is missing where it may be is not counted.
  if (found !== undefined || !mayBeMissing) frame.observer?.qualifier();
  return found;
}

function keyOf({ key }: Qualifier, frame: Frame): CelValue {
  if (!isPart(key)) return key;
  return "evaluate" in key ? key.evaluate(frame) : readAttribute(key, frame);
}

function isPart(key: CelValue | Attribute | Step): key is Attribute | Step {
  return typeof key === "object" && key !== null && ("evaluate" in key || "kind" in key);
}

function find(value: CelValue, key: CelValue, mayBeMissing: boolean): CelValue | undefined {
  if (!isKey(key)) return new CelError(`invalid qualifier type: ${runtimeType(key).name}`);
  if (value instanceof CelMap) {
    const found = value.find(key);
    return found === undefined && !mayBeMissing ? noSuchKey(key) : found;
  }
  // Absent fields of messages are null.
  if (value instanceof CelMessage) return value.fields.get(String(key)) ?? (mayBeMissing ? undefined : null);
  if (!(value instanceof CelList)) return mayBeMissing ? undefined : noSuchKey(key);
  const index = indexOf(key);
  if (typeof index !== "number") return index;
  if (index >= 0 && index < value.length) return value.at(index);
  return mayBeMissing ? undefined : new CelError(`index out of bounds: ${formatKey(key)}`);
}

function isKey(key: CelValue): boolean {
  return typeof key !== "object" || key instanceof CelUint;
}

function noSuchKey(key: CelValue): CelError {
  return new CelError(`no such key: ${formatKey(key)}`);
}

function indexOf(key: CelValue): number | CelError {
  if (typeof key === "bigint") return Number(key);
  if (typeof key === "number") {
    const whole = losslessInt(key);
    return whole === undefined ? new CelError(`unsupported index value ${formatKey(key)} in list`) : Number(whole);
  }
  if (key instanceof CelUint) return Number(key.value);
  return new CelError(`unsupported index type '${runtimeType(key).name}' in list`);
}

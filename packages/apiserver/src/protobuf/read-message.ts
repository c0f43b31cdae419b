import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { serverInteger } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../storage/api-object.ts";
import { MalformedMessageError } from "./malformed-message.ts";
import type { Field, FieldType, Message, Scalar } from "./messages.ts";
import { type MessageSource, specialForm } from "./special-types.ts";

// Of 3 MiB, JSON cannot have more values either; an empty message in a list takes two bytes, and as an object a hundred times that.
const MOST_VALUES = 1 << 20;
const DEEPEST = 1000;

/**
 * Reads a message as the JSON that Go prints of it: zero values are left out where Go leaves them out; unknown fields are skipped.
 *
 * Fails: {@link MalformedMessageError}, also for messages nested deeper than 1,000 levels or with more than a million values.
 */
export function readMessage(bytes: Uint8Array, message: Message): MutableJsonObject {
  return guarded(() => new MessageReader(bytes).read(message));
}

/** Runs a reader of messages; what the library throws for malformed bytes becomes a {@link MalformedMessageError}. */
export function guarded<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedMessageError) throw error;
    const reason = error instanceof RangeError ? "unexpected EOF" : `proto: ${(error as Error).message}`;
    throw new MalformedMessageError(reason, { cause: error });
  }
}

class MessageReader implements MessageSource {
  readonly #reader: BinaryReader;
  readonly #bytes: Buffer;
  #valuesLeft = MOST_VALUES;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reader = new BinaryReader(this.#bytes);
  }

  read(message: Message): MutableJsonObject {
    const target: MutableJsonObject = {};
    this.#fields(message, target, this.#reader.len);
    return target;
  }

  #fields(message: Message, target: MutableJsonObject, end: number): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new MalformedMessageError("exceeded max depth");
    this.#eachField(end, (number, wireType) => {
      const field = message.byNumber.get(number);
      if (field === undefined) return false;
      this.#field(field, wireType, target);
      return true;
    });
    for (const field of message.fields) this.#complete(field, target);
    this.#depth -= 1;
  }

  /** Calls back for each field up to an end; one that the callback does not read is skipped. */
  #eachField(end: number, read: (number: number, wireType: WireType) => boolean, overrun = "unexpected EOF"): void {
    const reader = this.#reader;
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      if (wireType === WireType.EndGroup) {
        throw new MalformedMessageError("proto: wiretype end group for non-group");
      }
      if (!read(number, wireType)) reader.skip(wireType, number);
      if (reader.pos > end) throw new MalformedMessageError(overrun);
    }
  }

  #field(field: Field, wireType: WireType, target: MutableJsonObject): void {
    const { shape, type, name } = field;
    if (shape === "map") {
      expectWireType(wireType, WireType.LengthDelimited, name);
      this.#entry(type, (target[name] ??= {}) as MutableJsonObject);
    } else if (shape === "list") {
      this.#items(field, wireType, (target[name] ??= []) as unknown[]);
    } else if (field.isInline && type.kind === "message") {
      expectWireType(wireType, WireType.LengthDelimited, name);
      this.#fields(type.message(), target, this.#end());
    } else {
      target[name] = this.#value(type, wireType, name, target[name]);
    }
  }

  #items({ type, name }: Field, wireType: WireType, items: unknown[]): void {
    const isPacked = type.kind === "scalar" && wireType === WireType.LengthDelimited && isNumeric(type.scalar);
    if (!isPacked || type.kind !== "scalar") {
      items.push(this.#value(type, wireType, name, undefined));
      return;
    }
    const end = this.#end();
    while (this.#reader.pos < end) items.push(this.#value(type, wireTypeOf(type.scalar), name, undefined));
  }

  #entry(type: FieldType, map: MutableJsonObject): void {
    let key = "";
    let value: unknown;
    const read = (number: number, wireType: WireType): boolean => {
      if (number === 1) key = this.#value(STRING, wireType, `key ${IN_ENTRY}`, undefined) as string;
      else if (number === 2) value = this.#value(type, wireType, `value ${IN_ENTRY}`, value);
      return number === 1 || number === 2;
    };
    // Go lets a value reach beyond its entry and then reads the rest again, which multiplies the work of nested entries.
    this.#eachField(this.#end(), read, `unexpected EOF ${IN_ENTRY}`);
    setOwn(map, key, value ?? this.#zeroOfEntry(type));
  }

  #zeroOfEntry(type: FieldType): unknown {
    if (isList(type)) return [];
    return type.kind === "scalar" && type.scalar === "bytes" ? "" : this.#zero(type);
  }

  // A message that is stated again adds to what was stated before.
  #value(type: FieldType, wireType: WireType, name: string, before: unknown): unknown {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new MalformedMessageError("exceeded max number of values");
    expectWireType(wireType, type.kind === "scalar" ? wireTypeOf(type.scalar) : WireType.LengthDelimited, name);
    switch (type.kind) {
      case "scalar":
        return this.scalar(type.scalar);
      case "special":
        return specialForm(type.special).read(this);
      case "message": {
        const target = (before ?? {}) as MutableJsonObject;
        this.#fields(type.message(), target, this.#end());
        return target;
      }
    }
  }

  scalar(scalar: Scalar): unknown {
    const reader = this.#reader;
    switch (scalar) {
      case "string":
        return this.#slice().toString("utf8");
      case "bytes":
        return this.#slice().toString("base64");
      case "boolean":
        return reader.bool();
      case "int32":
        return reader.int32();
      case "int64":
        return serverInteger(BigInt(reader.int64()));
      case "double":
        return finite(reader.double());
    }
  }

  fields(read: (number: number) => boolean): void {
    this.#eachField(this.#end(), read);
  }

  message(message: Message): MutableJsonObject {
    const target: MutableJsonObject = {};
    this.#fields(message, target, this.#end());
    return target;
  }

  // Reads the length of a message, and returns where it ends.
  #end(): number {
    const length = this.#reader.uint32();
    const end = this.#reader.pos + length;
    if (end > this.#reader.len) throw new MalformedMessageError("unexpected EOF");
    return end;
  }

  #slice(): Buffer {
    const end = this.#end();
    const bytes = this.#bytes.subarray(this.#reader.pos, end);
    this.#reader.pos = end;
    return bytes;
  }

  #complete(field: Field, target: MutableJsonObject): void {
    const { name, type, shape, isPointer, isInline } = field;
    const value = target[name];
    if (isInline && type.kind === "message") {
      for (const inner of type.message().fields) this.#complete(inner, target);
    } else if (isPointer || shape !== "one") {
      if (value === undefined && field.isAlwaysInJson) target[name] = null;
    } else if (type.kind === "scalar") {
      if (value === undefined || isZero(value)) this.#completeScalar(field, type.scalar, target);
    } else if (isList(type)) {
      this.#completeList(field, target);
    } else if (value === undefined) {
      if (!field.omitsZero) target[name] = this.#zero(type);
    } else if (value === null && field.omitsZero) {
      delete target[name];
    }
  }

  #completeList({ name, isAlwaysInJson }: Field, target: MutableJsonObject): void {
    const items = target[name] as readonly unknown[] | null | undefined;
    if ((items?.length ?? 0) > 0) return;
    if (isAlwaysInJson) target[name] = null;
    else delete target[name];
  }

  #completeScalar(field: Field, scalar: Scalar, target: MutableJsonObject): void {
    if (field.isAlwaysInJson) target[field.name] ??= ZEROS[scalar];
    else delete target[field.name];
  }

  #zero(type: FieldType): unknown {
    switch (type.kind) {
      case "scalar":
        return ZEROS[type.scalar];
      case "special":
        return specialForm(type.special).zero;
      case "message": {
        const target: MutableJsonObject = {};
        this.#valuesLeft -= 1;
        if (this.#valuesLeft < 0) throw new MalformedMessageError("exceeded max number of values");
        for (const field of type.message().fields) this.#complete(field, target);
        return target;
      }
    }
  }
}

const IN_ENTRY = "in an entry of a map";

const STRING: FieldType = { kind: "scalar", scalar: "string" };

const ZEROS: Readonly<Record<Scalar, unknown>> = {
  string: "",
  bytes: null,
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
};

const isZero = (value: unknown): boolean => value === "" || value === 0 || value === false;

const isList = (type: FieldType): boolean => type.kind === "special" && type.special === "strings";

const isNumeric = (scalar: Scalar): boolean => scalar !== "string" && scalar !== "bytes";

function wireTypeOf(scalar: Scalar): WireType {
  if (scalar === "double") return WireType.Bit64;
  return isNumeric(scalar) ? WireType.Varint : WireType.LengthDelimited;
}

function expectWireType(actual: WireType, expected: WireType, name: string): void {
  if (actual !== expected) {
    throw new MalformedMessageError(`proto: wrong wireType = ${String(actual)} for field ${goNameOf(name)}`);
  }
}

const goNameOf = (name: string): string =>
  name === "metadata" ? "ObjectMeta" : (name[0] ?? "").toUpperCase() + name.slice(1);

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new MalformedMessageError(`json: unsupported value: ${String(value)}`);
  return value;
}

// A key of a map may be __proto__, which is the name of no field.
function setOwn(map: MutableJsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    map[key] = value;
  }
}

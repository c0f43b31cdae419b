import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isRecord } from "@kubescaffold/platform";

import type { MutableJsonObject } from "../storage/api-object.ts";
import type { Field, FieldType, Message, Scalar } from "./messages.ts";
import { type MessageSink, specialForm } from "./special-types.ts";

/** Values of JSON by their names. */
type Values = Readonly<Record<string, unknown>>;

/** Writes a value of JSON as a message, byte for byte as Go does: fields in the order of their numbers, keys of maps sorted; names that the message does not have are left out. */
export function writeMessage(message: Message, value: object): Uint8Array {
  const writer = new MessageWriter();
  writer.write(message, value as Values);
  return writer.finish();
}

class MessageWriter implements MessageSink {
  readonly #writer = new BinaryWriter();

  finish(): Uint8Array {
    return this.#writer.finish();
  }

  write(message: Message, value: Values): void {
    for (const field of message.fields) this.#field(field, field.isInline ? value : value[field.name]);
  }

  #field({ number, shape, type, isPointer }: Field, value: unknown): void {
    if (shape === "list") {
      if (Array.isArray(value)) for (const item of value as readonly unknown[]) this.#value(number, type, item);
    } else if (shape === "map") {
      if (isRecord(value)) this.#map(number, type, value);
    } else if (value !== undefined && value !== null) {
      this.#value(number, type, value);
    } else if (!isPointer && !isBytes(type) && !isStrings(type)) {
      this.#value(number, type, undefined);
    }
  }

  #map(number: number, type: FieldType, values: Values): void {
    for (const key of Object.keys(values).sort()) {
      this.#nested(number, () => {
        this.scalar(1, "string", key);
        const value = values[key] ?? undefined;
        if (value !== undefined || !isBytes(type)) this.#value(2, type, value);
      });
    }
  }

  #value(number: number, type: FieldType, value: unknown): void {
    switch (type.kind) {
      case "scalar":
        this.scalar(number, type.scalar, value ?? ZEROS[type.scalar]);
        break;
      case "special": {
        const form = specialForm(type.special);
        this.#nested(number, () => form.write(this, value ?? null));
        break;
      }
      case "message":
        this.message(number, type.message(), (value ?? {}) as MutableJsonObject);
    }
  }

  // Without a callback: schemas contain schemas, and the stack is short.
  message(number: number, message: Message, value: MutableJsonObject): void {
    this.#writer.tag(number, WireType.LengthDelimited).fork();
    this.write(message, value);
    this.#writer.join();
  }

  #nested(number: number, write: () => void): void {
    this.#writer.tag(number, WireType.LengthDelimited).fork();
    write();
    this.#writer.join();
  }

  scalar(number: number, scalar: Scalar, value: unknown): void {
    const writer = this.#writer;
    switch (scalar) {
      case "string":
        writer.tag(number, WireType.LengthDelimited).string(value as string);
        break;
      case "bytes":
        writer.tag(number, WireType.LengthDelimited).bytes(Buffer.from(value as string, "base64"));
        break;
      case "boolean":
        writer.tag(number, WireType.Varint).bool(value as boolean);
        break;
      case "int32":
        writer.tag(number, WireType.Varint).int32(value as number);
        break;
      case "int64":
        writer.tag(number, WireType.Varint).int64(value as number | bigint);
        break;
      case "double":
        writer.tag(number, WireType.Bit64).double(value as number);
    }
  }
}

const ZEROS: Readonly<Record<Scalar, unknown>> = {
  string: "",
  bytes: "",
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
};

// Neither is an absent list in a message.
const isStrings = (type: FieldType): boolean => type.kind === "special" && type.special === "strings";

// Bytes that are not there are not written, not even as empty ones.
const isBytes = (type: FieldType): boolean => type.kind === "scalar" && type.scalar === "bytes";

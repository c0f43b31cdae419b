import type { FieldType, Message } from "../protobuf/messages.ts";
import { HeadReader } from "./item-head.ts";
import { MalformedCborError } from "./malformed-cbor.ts";
import { readItem } from "./read-cbor.ts";
import { hasNext, skipItem } from "./skip-item.ts";

/**
 * Checks that fields of bytes are byte strings: texts are not read as base64, unlike in JSON.
 *
 * Fails: {@link MalformedCborError} with the message of kube-apiserver, which names the outermost field.
 */
export function checkByteFields(bytes: Uint8Array, message: Message, goType: string): void {
  new ByteFields(new HeadReader(bytes), goType).message(message);
}

class ByteFields {
  readonly #reader: HeadReader;
  readonly #goType: string;
  #outermost = "";
  #level = 0;

  constructor(reader: HeadReader, goType: string) {
    this.#reader = reader;
    this.#goType = goType;
  }

  message(message: Message): void {
    this.#level += 1;
    this.#map((key) => {
      if (this.#level === 1) this.#outermost = key;
      const field = fieldNamed(message, key);
      if (field === undefined) skipItem(this.#reader);
      else if (field.shape === "map") this.#map(() => this.#value(field.type));
      else if (field.shape === "list") this.#list(field.type);
      else this.#value(field.type);
    });
    this.#level -= 1;
  }

  #value(type: FieldType): void {
    if (type.kind === "message") this.message(type.message());
    else if (type.kind === "scalar" && type.scalar === "bytes") this.#bytes();
    else skipItem(this.#reader);
  }

  #bytes(): void {
    const start = this.#reader.position;
    const { type } = this.#reader.untaggedHead();
    if (type === "UTF-8 text string") {
      throw new MalformedCborError(
        `cbor: cannot unmarshal ${type} into Go struct field ${this.#goType}.${this.#outermost} of type []uint8`,
      );
    }
    this.#reader.position = start;
    skipItem(this.#reader);
  }

  #map(readValue: (key: string) => void): void {
    this.#items("map", () => readValue(String(readItem(this.#reader))));
  }

  #list(type: FieldType): void {
    this.#items("array", () => this.#value(type));
  }

  // What has another type is refused later.
  #items(type: "map" | "array", read: () => void): void {
    const start = this.#reader.position;
    const head = this.#reader.untaggedHead();
    if (head.type === type) {
      for (let index = 0; hasNext(this.#reader, head, index); index += 1) read();
    } else {
      this.#reader.position = start;
      skipItem(this.#reader);
    }
  }
}

function fieldNamed(message: Message, name: string): Message["fields"][number] | undefined {
  for (const field of message.fields) {
    if (field.isInline && field.type.kind === "message") {
      const inner = fieldNamed(field.type.message(), name);
      if (inner !== undefined) return inner;
    } else if (field.name === name) {
      return field;
    }
  }
  return undefined;
}

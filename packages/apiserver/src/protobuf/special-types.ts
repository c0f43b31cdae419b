import { parseJson, printServerJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { MutableJsonObject } from "../storage/api-object.ts";
import { MalformedMessageError } from "./malformed-message.ts";
import { messageNamed, type Message, type Scalar, type Special } from "./messages.ts";

/** What the forms of special messages are read with. */
export interface MessageSource {
  /** Reads the length of a message, calls back for each field, and skips those that the callback does not read. */
  fields(read: (number: number) => boolean): void;
  scalar(scalar: Scalar): unknown;
  /** Reads a message with its length. */
  message(message: Message): MutableJsonObject;
}

/** What the forms of special messages are written with. */
export interface MessageSink {
  scalar(number: number, scalar: Scalar, value: unknown): void;
  message(number: number, message: Message, value: MutableJsonObject): void;
}

/** The form of a special message in JSON. */
interface SpecialForm {
  /** The value in JSON of a message that is absent from another. */
  readonly zero: unknown;
  read(source: MessageSource): unknown;
  /** Writes the fields of a value, which is never undefined. */
  write(sink: MessageSink, value: unknown): void;
}

/** Returns the form of a special message. */
export function specialForm(special: Special): SpecialForm {
  return FORMS[special];
}

// The zero time of Go, which JSON states as null.
const ZERO_SECONDS = -62_135_596_800;

const time: SpecialForm = {
  zero: null,
  read: (source) => {
    const { seconds } = readTimestamp(source);
    return seconds === ZERO_SECONDS ? null : `${secondsText(seconds)}Z`;
  },
  write: (sink, value) => {
    const seconds = secondsOf(value);
    if (seconds !== ZERO_SECONDS) writeTimestamp(sink, seconds, 0);
  },
};

const NANOS_OF_MICRO = 1000;

const microTime: SpecialForm = {
  zero: null,
  read: (source) => {
    const { seconds, nanos } = readTimestamp(source);
    if (seconds === ZERO_SECONDS && nanos === 0) return null;
    const whole = seconds + Math.floor(nanos / 1e9);
    const micros = Math.trunc((nanos - Math.floor(nanos / 1e9) * 1e9) / NANOS_OF_MICRO);
    return `${secondsText(whole)}.${String(micros).padStart(6, "0")}Z`;
  },
  write: (sink, value) => {
    const seconds = secondsOf(value);
    const fraction = /\.(\d{1,6})/u.exec(value as string)?.[1] ?? "";
    const nanos = Number(fraction.padEnd(6, "0")) * NANOS_OF_MICRO;
    if (seconds !== ZERO_SECONDS || nanos !== 0) writeTimestamp(sink, seconds, nanos);
  },
};

// A message without fields is the zero time, and so is an absent one.
function readTimestamp(source: MessageSource): { readonly seconds: number; readonly nanos: number } {
  let seconds = 0;
  let nanos = 0;
  let isEmpty = true;
  source.fields((number) => {
    isEmpty = false;
    if (number === 1) seconds = Number(source.scalar("int64"));
    else if (number === 2) nanos = source.scalar("int32") as number;
    return number === 1 || number === 2;
  });
  return isEmpty ? { seconds: ZERO_SECONDS, nanos: 0 } : { seconds, nanos };
}

function writeTimestamp(sink: MessageSink, seconds: number, nanos: number): void {
  sink.scalar(1, "int64", seconds);
  sink.scalar(2, "int32", nanos);
}

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

function secondsText(seconds: number): string {
  if (!(seconds >= ZERO_SECONDS && seconds <= LAST_SECOND)) {
    throw new MalformedMessageError("Time.MarshalJSON: year outside of range [0,9999]");
  }
  return new Date(seconds * 1000).toISOString().slice(0, "2006-01-02T15:04:05".length);
}

function secondsOf(value: unknown): number {
  return typeof value === "string" && value !== "" ? Math.floor(Date.parse(value) / 1000) : ZERO_SECONDS;
}

const quantity: SpecialForm = {
  zero: "0",
  read: (source) => readOne(source, "string") ?? "0",
  write: (sink, value) => sink.scalar(1, "string", value ?? "0"),
};

const intOrString: SpecialForm = {
  zero: 0,
  read: (source) => {
    let isText = false;
    let number: unknown = 0;
    let text: unknown = "";
    source.fields((field) => {
      if (field === 1) isText = source.scalar("int64") === 1;
      else if (field === 2) number = source.scalar("int32");
      else if (field === 3) text = source.scalar("string");
      return field <= 3;
    });
    return isText ? text : number;
  },
  write: (sink, value) => {
    const isText = typeof value === "string";
    sink.scalar(1, "int64", isText ? 1 : 0);
    sink.scalar(2, "int32", isText ? 0 : (value ?? 0));
    sink.scalar(3, "string", isText ? value : "");
  },
};

const json: SpecialForm = {
  zero: null,
  read: (source) => {
    const raw = readOne(source, "string") as string | undefined;
    return raw === undefined || raw === "" ? null : parseRaw(raw);
  },
  write: (sink, value) => {
    if (value !== null) sink.scalar(1, "string", printServerJson(value));
  },
};

function parseRaw(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new MalformedMessageError(`json: error calling MarshalJSON: ${(error as Error).message}`, { cause: error });
  }
}

const SCHEMA = "apiextensions/v1.JSONSchemaProps";

const schemaOrBoolean: SpecialForm = {
  zero: false,
  read: (source) => {
    let allows: unknown = false;
    let schema: unknown;
    source.fields((number) => {
      if (number === 1) allows = source.scalar("boolean");
      else if (number === 2) schema = source.message(messageNamed(SCHEMA));
      return number <= 2;
    });
    return schema ?? allows;
  },
  write: (sink, value) => {
    sink.scalar(1, "boolean", isRecord(value) || value === true);
    if (isRecord(value)) sink.message(2, messageNamed(SCHEMA), value);
  },
};

const schemaOrArray = schemaOrItems({
  read: (source) => source.message(messageNamed(SCHEMA)),
  write: (sink, item) => sink.message(2, messageNamed(SCHEMA), item as MutableJsonObject),
});

const schemaOrStrings = schemaOrItems({
  read: (source) => source.scalar("string"),
  write: (sink, item) => sink.scalar(2, "string", item),
});

// Items win over the schema.
function schemaOrItems(item: {
  readonly read: (source: MessageSource) => unknown;
  readonly write: (sink: MessageSink, item: unknown) => void;
}): SpecialForm {
  return {
    zero: null,
    read: (source) => {
      let schema: unknown = null;
      const items: unknown[] = [];
      source.fields((number) => {
        if (number === 1) schema = source.message(messageNamed(SCHEMA));
        else if (number === 2) items.push(item.read(source));
        return number <= 2;
      });
      return items.length > 0 ? items : schema;
    },
    write: (sink, value) => {
      if (isRecord(value)) sink.message(1, messageNamed(SCHEMA), value);
      else if (Array.isArray(value)) for (const each of value as readonly unknown[]) item.write(sink, each);
    },
  };
}

const strings: SpecialForm = {
  zero: null,
  read: (source) => {
    const items: unknown[] = [];
    source.fields((number) => {
      if (number === 1) items.push(source.scalar("string"));
      return number === 1;
    });
    return items;
  },
  write: (sink, value) => {
    if (Array.isArray(value)) for (const each of value as readonly unknown[]) sink.scalar(1, "string", each);
  },
};

function readOne(source: MessageSource, scalar: Scalar): unknown {
  let value: unknown;
  source.fields((number) => {
    if (number === 1) value = source.scalar(scalar);
    return number === 1;
  });
  return value;
}

const FORMS: Readonly<Record<Special, SpecialForm>> = {
  time,
  "micro-time": microTime,
  quantity,
  "int-or-string": intOrString,
  "raw-object": json,
  fields: json,
  json,
  "schema-or-array": schemaOrArray,
  "schema-or-boolean": schemaOrBoolean,
  "schema-or-strings": schemaOrStrings,
  strings,
};

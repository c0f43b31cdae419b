import { printServerJson } from "@kubescaffold/k8s";

import type { ApiObject } from "../storage/api-object.ts";

/** The JSON of an object. */
export class EncodedObject {
  /** The text with a newline, which is how most are sent. */
  readonly line: string;
  /** The number of bytes of the line in UTF-8. */
  readonly lineBytes: number;

  constructor(text: string) {
    this.line = `${text}\n`;
    // Counting also makes one string of the pieces in which V8 prints JSON; they would take a quarter more memory.
    this.lineBytes = Buffer.byteLength(this.line);
  }

  /** The text without the newline, and without as many characters at its start. */
  textFrom(start: number): string {
    return this.line.slice(start, -1);
  }
}

// The texts of the last objects that were written. Most are sent once, or to several watches within a few turns of the event loop. If they lived longer,
// the garbage collector would move them, and delay requests.
const WRITTEN = 16;
const written: { readonly object: ApiObject; readonly encoded: EncodedObject }[] = [];
let nextWritten = 0;

/** Returns the JSON of an object that was just written and will not change any more; cached until some others are written. */
export function encodeWritten(object: ApiObject): EncodedObject {
  const known = written.find((each) => each.object === object)?.encoded ?? recent.get(object) ?? earlier.get(object);
  if (known !== undefined) return known;
  const encoded = new EncodedObject(printServerJson(object));
  written[nextWritten] = { object, encoded };
  nextWritten = (nextWritten + 1) % WRITTEN;
  return encoded;
}

// Texts of the last objects that were read, in two generations; those of all objects would take more memory than the objects.
const GENERATION_CHARACTERS = 16 * 1024 * 1024;
let recent = new WeakMap<ApiObject, EncodedObject>();
let earlier = new WeakMap<ApiObject, EncodedObject>();
let recentCharacters = 0;

/** Returns the JSON of an object that will not change any more; cached for the last ones. */
export function encodeShared(object: ApiObject): EncodedObject {
  return recent.get(object) ?? earlier.get(object) ?? encodeNew(object);
}

function encodeNew(object: ApiObject): EncodedObject {
  const encoded = new EncodedObject(printServerJson(object));
  recentCharacters += encoded.line.length;
  if (recentCharacters > GENERATION_CHARACTERS) {
    earlier = recent;
    recent = new WeakMap();
    recentCharacters = encoded.line.length;
  }
  recent.set(object, encoded);
  return encoded;
}

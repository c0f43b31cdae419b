import { printServerJson } from "@kubescaffold/k8s";

import type { ApiObject } from "../storage/api-object.ts";

// Texts of the last objects that were encoded, in two generations; those of all objects would take more memory than the objects.
const GENERATION_CHARACTERS = 16 * 1024 * 1024;
let recent = new WeakMap<ApiObject, EncodedObject>();
let earlier = new WeakMap<ApiObject, EncodedObject>();
let recentCharacters = 0;

/** The JSON of an object. */
export class EncodedObject {
  readonly text: string;
  /** The number of bytes in UTF-8. */
  readonly byteLength: number;

  constructor(text: string) {
    this.text = text;
    // Counting also makes one string of the pieces in which V8 prints JSON; they would take a quarter more memory.
    this.byteLength = Buffer.byteLength(text);
  }
}

/** Returns the JSON of an object that will not change any more; cached for the last ones. */
export function encodeShared(object: ApiObject): EncodedObject {
  return recent.get(object) ?? earlier.get(object) ?? encodeNew(object);
}

function encodeNew(object: ApiObject): EncodedObject {
  const encoded = new EncodedObject(printServerJson(object));
  recentCharacters += encoded.text.length;
  if (recentCharacters > GENERATION_CHARACTERS) {
    earlier = recent;
    recent = new WeakMap();
    recentCharacters = encoded.text.length;
  }
  recent.set(object, encoded);
  return encoded;
}

import { createHash } from "node:crypto";
import { serialize } from "node:v8";

/** Returns the hash by which texts are compared. */
export function hashText(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}

/** Returns the hash of plain data. Unlike JSON, it distinguishes all values, such as `undefined`, `-0`, maps, and sets. */
export function hashValue(value: unknown): string {
  return createHash("sha1").update(serialize(value)).digest("base64");
}

import { printServerJson } from "@kubescaffold/k8s";
import type { JsonObject } from "@kubescaffold/schema";

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Returns the definitions that a part of a document refers to, and those that these refer to, by their names. */
export function referencedSchemas(part: unknown, find: (name: string) => JsonObject | undefined): JsonObject {
  const found: Record<string, JsonObject> = {};
  const add = (name: string): void => {
    const schema = found[name] === undefined ? find(name) : undefined;
    if (schema === undefined) return;
    found[name] = schema;
    namesIn(schema).forEach(add);
  };
  namesIn(part).forEach(add);
  return found;
}

function namesIn(part: unknown): readonly string[] {
  return [...printServerJson(part).matchAll(REFERENCE)].map(([, name = ""]) => name);
}

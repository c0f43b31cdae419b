import { printServerJson } from "@kubescaffold/k8s";
import type { JsonObject } from "@kubescaffold/schema/values";

/** The start of a reference to a definition in a document of version 3. */
export const REFERENCE = "#/components/schemas/";
/** The start of the names of definitions that all groups share. */
export const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

const QUOTED_REFERENCE = new RegExp(`"${REFERENCE}([^"]+)"`, "gu");

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
  return [...printServerJson(part).matchAll(QUOTED_REFERENCE)].map(([, name = ""]) => name);
}

import { goQuote } from "@kubescaffold/k8s";
import { isKnownFormat } from "@kubescaffold/schema";
import { type JsonSchema } from "@kubescaffold/schema/values";

import type { CrdObject } from "./crd-object.ts";

/** Returns the warnings about formats of strings that servers ignore, as far as the stored definition has not had them. */
export function formatWarnings(crd: CrdObject, old: CrdObject | undefined): readonly string[] {
  const before = old === undefined ? new Set<string>() : unknownFormats(old);
  return [...unknownFormats(crd)].flatMap((format) =>
    before.has(format) ? [] : [`unrecognized format ${goQuote(format)}`],
  );
}

function unknownFormats({ spec }: CrdObject): ReadonlySet<string> {
  const found = new Set<string>();
  // Iterative, since schemas may be deep.
  const waiting = (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []).toReversed();
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const { type, format = "" } = schema;
    if (type === "string" && format !== "" && !isKnownFormat(format)) found.add(format);
    waiting.push(...partsOf(schema).toReversed());
  }
  return found;
}

function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const { items, allOf = [], anyOf = [], oneOf = [], not, properties = {}, additionalProperties } = schema;
  return [items ?? [], allOf, anyOf, oneOf, not ?? [], Object.values(properties), additionalProperties ?? []]
    .flat()
    .filter((part): part is JsonSchema => typeof part === "object");
}

import { goQuote } from "@kubescaffold/k8s";
import { isFormatOfType, isKnownFormat } from "@kubescaffold/schema";
import { type JsonSchema } from "@kubescaffold/schema/values";

import { since } from "../../release/rule-release.ts";
import type { CrdObject } from "./crd-object.ts";

/** Returns the warnings about the schemas of a definition, as far as the stored one has not had them. */
export function schemaWarnings(crd: CrdObject, old: CrdObject | undefined): readonly string[] {
  return [...newWarnings(formatWarnings, crd, old), ...(since("1.37") ? newWarnings(setWarnings, crd, old) : [])];
}

function newWarnings(
  warningsOf: (crd: CrdObject) => ReadonlySet<string>,
  crd: CrdObject,
  old: CrdObject | undefined,
): readonly string[] {
  const before = old === undefined ? new Set<string>() : warningsOf(old);
  return [...warningsOf(crd)].filter((warning) => !before.has(warning));
}

/** Returns the warnings about formats that servers ignore. */
function formatWarnings(crd: CrdObject): ReadonlySet<string> {
  const found = partsOf(crd).filter(({ type = "", format = "" }) => {
    if (format === "") return false;
    if (!since("1.36")) return type === "string" && !isKnownFormat(format);
    return !isFormatOfType(format, type === "" ? [] : [type]);
  });
  return new Set(found.map(({ format = "" }) => `unrecognized format ${goQuote(format)}`));
}

/** Returns the warnings about sets whose items are no scalars, sorted. */
function setWarnings(crd: CrdObject): ReadonlySet<string> {
  const types = partsOf(crd).flatMap(({ items, "x-kubernetes-list-type": listType }) => {
    const type = listType === "set" && typeof items === "object" && "type" in items ? items.type : undefined;
    return type === "object" || type === "array" ? [type] : [];
  });
  return new Set(
    types
      .toSorted()
      .map(
        (type) =>
          `x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by server-side apply or CEL validation rules`,
      ),
  );
}

function partsOf({ spec }: CrdObject): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  // Iterative, since schemas may be deep.
  const waiting = (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []).toReversed();
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    found.push(schema);
    waiting.push(...childrenOf(schema).toReversed());
  }
  return found;
}

function childrenOf(schema: JsonSchema): readonly JsonSchema[] {
  const { items, allOf = [], anyOf = [], oneOf = [], not, properties = {}, additionalProperties } = schema;
  return [items ?? [], allOf, anyOf, oneOf, not ?? [], Object.values(properties), additionalProperties ?? []]
    .flat()
    .filter((part): part is JsonSchema => typeof part === "object");
}

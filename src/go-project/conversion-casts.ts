import { canonicalJson, type CrdFacts, type Schema } from "@kubescaffold/generators/importer";
import { isRecord } from "@kubescaffold/platform";

import { textsOf } from "./manifest-facts.ts";

/**
 * Casts in the conversion of a spoke what has another type in the hub, so that the project compiles before its conversions are translated.
 *
 * Guarantees: a part with the same schema in both versions is not cast. Descriptions count, since they decide whether a part has a type of Kubernetes.
 */
export function castConversion(
  text: string,
  crd: CrdFacts,
  { hub, spoke }: { readonly hub: string; readonly spoke: string },
): string {
  const isCast = (part: string): boolean =>
    partOf(crd, hub, part) !== partOf(crd, spoke, part) || (part === "spec" && losesFields(crd, spoke));
  const [to, from] = [`${crd.kind}Hub`, crd.kind];
  return castPart(castPart(text, "spec", isCast("spec"), to, from), "status", isCast("status"), to, from);
}

// A copy of a spec that may be missing has none of the fields that it requires.
function losesFields(crd: CrdFacts, version: string): boolean {
  const schema = schemaOf(crd, version);
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const spec = isRecord(properties["spec"]) ? properties["spec"] : {};
  return !textsOf(schema["required"]).includes("spec") && textsOf(spec["required"]).length > 0;
}

function schemaOf(crd: CrdFacts, version: string): Schema {
  return crd.versions.find(({ name }) => name === version)?.schema ?? {};
}

function partOf(crd: CrdFacts, version: string, part: string): string {
  const schema = schemaOf(crd, version);
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const found = properties[part];
  return canonicalJson(isRecord(found) ? { ...found, description: "" } : null);
}

// The first of a part is converted to the hub, the second from it.
function castPart(text: string, part: string, isCast: boolean, to: string, from: string): string {
  const targets = [to, from];
  return isCast
    ? text.replaceAll(`${part}: { ...${part} }`, (copied) => {
        const target = targets.shift() ?? from;
        return `${copied} as unknown as NonNullable<${target}["${part}"]>`;
      })
    : text;
}

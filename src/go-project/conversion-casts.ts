import { canonicalJson, type CrdFacts, type Schema } from "@kubescaffold/generators/importer";
import { isRecord } from "@kubescaffold/platform";

import { textsOf } from "./manifest-facts.ts";

/**
 * Lets the converter of a spoke do without the functions that generated code requires for structs that differ, so that the project compiles before its
 * conversions are translated; such a conversion fails.
 *
 * Guarantees: a converter whose parts have the same schema in both versions stays as it is. Descriptions count, since they decide whether a part has a type of
 * Kubernetes.
 */
export function castConversion(
  text: string,
  crd: CrdFacts,
  { hub, spoke }: { readonly hub: string; readonly spoke: string },
): string {
  const isLike = ["spec", "status"].every((part) => partOf(crd, hub, part) === partOf(crd, spoke, part));
  if (isLike && !losesFields(crd, spoke)) return text;
  const lines = [
    `new${crd.kind}Converter(`,
    `  // TODO(user): write the functions that ${crd.kind}Conversions requires, and remove the cast.`,
    "  {} as never,",
    ");",
  ];
  return text.replace(`new${crd.kind}Converter({});`, () => lines.join("\n"));
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

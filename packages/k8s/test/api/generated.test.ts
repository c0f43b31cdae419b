import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { parseApiVersion } from "../../src/group-version.ts";
import { definitionPrefixes } from "../../src/tables/definition-prefixes.ts";
import { definitionTexts } from "../../src/tables/definition-texts.ts";

interface Places {
  readonly definitionPlace: (definition: string) => { readonly place: string; readonly name: string };
  readonly groupPlace: (groupVersion: object) => string;
}
interface Printer {
  readonly printTypes: (module: object) => string;
}

const scripts = new URL("../../../../scripts/k8s-types/", import.meta.url);

describe("the modules of built-in kinds", () => {
  it.each(Object.keys(definitionPrefixes))(
    "hold what the script makes of the definitions of %s",
    async (apiVersion) => {
      const { definitionPlace, groupPlace } = (await import(new URL("places.mjs", scripts).href)) as Places;
      const { printTypes } = (await import(new URL("print-types.mjs", scripts).href)) as Printer;
      const groupVersion = parseApiVersion(apiVersion);
      const place = groupPlace(groupVersion);
      const definitions = Object.entries(JSON.parse(definitionTexts.get(place) ?? "{}") as Record<string, object>).map(
        ([definition, schema]) => ({ name: definitionPlace(definition).name, schema }),
      );
      const committed = readFileSync(new URL(`../../src/api/${place}.ts`, import.meta.url), "utf8");
      expect(printTypes({ place, groupVersion, definitions })).toBe(committed);
    },
  );
});

import { CATALOGUE } from "../markers/catalogue.ts";
import type { MarkerValue } from "../markers/marker-definition.ts";
import { parseMarker, type ParsedMarker } from "../markers/parse-marker.ts";
import type { MarkerParser } from "../markers/read-markers.ts";
import type { MadeMemory } from "./made-memory.ts";

interface KnownMarker {
  readonly name: string;
  readonly value: MarkerValue;
}

/** Makes a parser that recalls markers by their texts; one with a mistake in it is parsed anew, and so is one that is unknown. */
export function recallMarkers(memory: MadeMemory): MarkerParser {
  return (text) => {
    let parsed: ParsedMarker | undefined;
    const known = memory.recall(`marker\n${text}`, (): KnownMarker | undefined => {
      parsed = parseMarker(text, CATALOGUE);
      return parsed.kind === "marker" ? { name: parsed.definition.name, value: parsed.value } : undefined;
    });
    return parsed ?? recalled(known) ?? parseMarker(text, CATALOGUE);
  };
}

function recalled(known: KnownMarker | undefined): ParsedMarker | undefined {
  const definition = known === undefined ? undefined : CATALOGUE.get(known.name);
  return known === undefined || definition === undefined
    ? undefined
    : { kind: "marker", definition, value: known.value };
}

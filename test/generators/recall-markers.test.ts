import { deserialize, serialize } from "node:v8";

import fc from "fast-check";
import { expect, it } from "vitest";

import { MadeMemory } from "../../src/generators/made-memory.ts";
import { recallMarkers } from "../../src/generators/recall-markers.ts";
import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";

const RBAC = "+kubebuilder:rbac:groups=apps,resources=deployments;pods,verbs=get;list";

// As it is kept from one process to the next.
function nextRun(memory: MadeMemory): MadeMemory {
  memory.finish({ isClean: true });
  return new MadeMemory(deserialize(serialize(memory.known)) as Map<string, unknown>);
}

const name = fc.constantFrom(...CATALOGUE.keys(), "kubebuilder:nonsense", "kubebuilder:rbac:groups");
const rest = fc.constantFrom(
  "",
  "=",
  "=true",
  "=1.5",
  "=-0",
  '="a,b"',
  "={a;b}",
  '={"a":[null,1]}',
  ":name=x",
  "=apps,verbs=get;list",
);
const text = fc.oneof(
  fc.constant(RBAC),
  fc.tuple(name, rest).map(([left, right]) => `+${left}${right}`),
);

it("reads every marker as one that remembers nothing, in the run that remembers it and in later ones", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), (first, more) => {
      let memory = new MadeMemory();
      for (const texts of [first, [...first, ...more], first]) {
        const parse = recallMarkers(memory);
        for (const each of texts) expect(parse(each)).toEqual(parseMarker(each, CATALOGUE));
        memory = nextRun(memory);
      }
    }),
    { numRuns: 300 },
  );
});

it("takes what it knows from the memory", () => {
  const memory = new MadeMemory();
  recallMarkers(memory)(RBAC);
  const later = nextRun(memory);
  recallMarkers(later)(RBAC);
  expect(later.hasServed).toBe(true);
});

it("reads a marker anew whose name is none any more", () => {
  const memory = new MadeMemory(new Map([[`marker\n${RBAC}`, { name: "kubebuilder:gone", value: true }]]));
  expect(recallMarkers(memory)(RBAC)).toEqual(parseMarker(RBAC, CATALOGUE));
});

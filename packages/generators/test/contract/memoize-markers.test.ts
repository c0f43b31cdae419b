import { deserialize, serialize } from "node:v8";

import fc from "fast-check";
import { expect, it } from "vitest";

import { Memo } from "../../src/cache/memo.ts";
import { memoizeMarkers } from "../../src/contract/memoize-parts.ts";
import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";

const RBAC = "+kubebuilder:rbac:groups=apps,resources=deployments;pods,verbs=get;list";

// As it is kept from one process to the next.
function nextRun(memory: Memo): Memo {
  memory.finish({ isClean: true });
  return new Memo(deserialize(serialize(memory.known)) as Map<string, unknown>);
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
      let memory = new Memo();
      for (const texts of [first, [...first, ...more], first]) {
        const parse = memoizeMarkers(memory);
        for (const each of texts) expect(parse(each)).toEqual(parseMarker(each, CATALOGUE));
        memory = nextRun(memory);
      }
    }),
    { numRuns: 300 },
  );
});

it("takes what it knows from the memory", () => {
  const memory = new Memo();
  memoizeMarkers(memory)(RBAC);
  const later = nextRun(memory);
  memoizeMarkers(later)(RBAC);
  expect(later.hits).toBe(1);
});

it("reads a marker again whose name is none any more", () => {
  const memory = new Memo(new Map([[`marker\n${RBAC}`, { name: "kubebuilder:gone", value: true }]]));
  expect(memoizeMarkers(memory)(RBAC)).toEqual(parseMarker(RBAC, CATALOGUE));
});

import type { JSONValue } from "@kubescaffold/k8s";
import { expect, it } from "vitest";

import { typedError } from "../../src/structured-merge/typed-error.ts";
import { SCHEMA } from "./schema.ts";

// The messages of structured-merge-diff v6.3.2 for the same schema.
it.each([
  [{ spec: { size: 1, free: { a: { b: 1 } }, labels: { a: "b" } } }, undefined],
  [{ spec: { sise: 1 } }, ".spec.sise: field not declared in schema"],
  [
    { spec: { ports: [{ name: "a" }, { nane: "b" }] } },
    '.spec.ports[protocol="TCP"].nane: field not declared in schema',
  ],
  [
    { spec: { ports: [{ name: "x", protocol: "TCP" }, { name: "x" }] } },
    '.spec.ports: duplicate entries for key [name="x",protocol="TCP"]',
  ],
  [
    { spec: { ports: [{ name: 'a"é' }, { name: 'a"é' }] } },
    '.spec.ports: duplicate entries for key [name="a\\"é",protocol="TCP"]',
  ],
  [
    { spec: { ports: [{ name: null }, { name: null }] } },
    '.spec.ports: duplicate entries for key [name=null,protocol="TCP"]',
  ],
  [{ spec: { ports: [null] } }, ".spec.ports: element 0: associative list with keys may not have a null element"],
  [{ spec: { ports: [3] } }, ".spec.ports: element 0: associative list with keys may not have non-map elements"],
  [{ spec: { names: ["a", "b", "a"] } }, '.spec.names: duplicate entries for key [="a"]'],
  [{ spec: { names: [{}] } }, ".spec.names: element 0: associative list without keys has an element that's a map type"],
  [{ spec: { names: [[]] } }, ".spec.names: element 0: not supported: associative list with lists as elements"],
  [
    { spec: { names: ["a", null] } },
    ".spec.names: element 1: associative list without keys has an element that's an explicit null",
  ],
  [{ spec: { words: ["a", "a", null] } }, undefined],
  [{ spec: { whole: { c: "1" } } }, ".spec.whole.c: field not declared in schema"],
  [
    { spec: { names: ["a", "a", "b", "a"] } },
    'errors:\n  .spec.names: duplicate entries for key [="a"]\n  .spec.names: duplicate entries for key [="a"]',
  ],
  [
    {
      spec: { ports: [{ name: "a", nane: 1 }, { name: "b", nane: 1 }, {}, { name: "c", nane: 1 }], sise: 1, sizes: 1 },
    },
    [
      "errors:",
      '.spec.ports[name="a",protocol="TCP"].nane: field not declared in schema',
      '.spec.ports[name="b",protocol="TCP"].nane: field not declared in schema',
      '.spec.ports[name="c",protocol="TCP"].nane: field not declared in schema',
      ".spec.sise: field not declared in schema",
    ].join("\n  "),
  ],
] as readonly (readonly [JSONValue, string | undefined])[])("the error of %j is %s", (value, message) => {
  expect(typedError(value, SCHEMA, {})).toBe(message);
});

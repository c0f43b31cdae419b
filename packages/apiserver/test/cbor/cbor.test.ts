// cspell:ignore bignum
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cborLimitsOf } from "../../src/cbor/cbor-limits.ts";
import { checkWellFormed } from "../../src/cbor/check-well-formed.ts";
import { diagnosticNotation } from "../../src/cbor/diagnostic-notation.ts";
import { encodeCbor, encodeLongCbor } from "../../src/cbor/encode-cbor.ts";
import { MalformedCborError } from "../../src/cbor/malformed-cbor.ts";
import { readCbor } from "../../src/cbor/read-cbor.ts";

const hex = (digits: string): Uint8Array => Buffer.from(digits, "hex");
const written = (object: object): string => Buffer.from(encodeCbor(object)).toString("hex").slice("d9d9f7".length);

// Values as the API server has them: integers beyond 2^53 are of the type bigint.
const VALUES = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.string({ unit: "grapheme" }), tie("value"), { maxKeys: 5, noNullPrototype: true }),
})).object;

// The limits of servers before 1.36.
const OLD = cborLimitsOf({ since: (minor) => minor < "1.36" });

describe("CBOR", () => {
  it("reads what it writes", () => {
    fc.assert(
      fc.property(VALUES, (object) => {
        expect(readCbor(encodeCbor({ ...object }))).toEqual(object);
      }),
    );
  });

  it("writes the same bytes for the same fields in any order", () => {
    fc.assert(
      fc.property(VALUES, (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(written(reversed)).toBe(written({ ...object }));
      }),
    );
  });

  it("has the same bytes for a list that is written in parts", async () => {
    const listed = fc.record({ kind: fc.constant("FooList"), items: fc.array(VALUES), z: VALUES, a: VALUES });
    await fc.assert(
      fc.asyncProperty(listed, async (list) => {
        expect(Buffer.from(await encodeLongCbor({ ...list }))).toEqual(Buffer.from(encodeCbor({ ...list })));
        const { items: rows, ...table } = list;
        expect(Buffer.from(await encodeLongCbor({ ...table, rows }))).toEqual(
          Buffer.from(encodeCbor({ ...table, rows })),
        );
      }),
    );
    const items = [{ metadata: { name: "a" }, data: { k: "AAH/" } }, { type: "Opaque" }];
    const secrets = { apiVersion: "v1", kind: "SecretList", metadata: { resourceVersion: "1" }, items };
    expect(Buffer.from(await encodeLongCbor({ ...secrets }))).toEqual(Buffer.from(encodeCbor({ ...secrets })));
    const map = { apiVersion: "v1", kind: "ConfigMap", items: "not a list", data: { items: "a" } };
    expect(Buffer.from(await encodeLongCbor({ ...map }))).toEqual(Buffer.from(encodeCbor({ ...map })));
  });

  it("reads bytes, or refuses them, and never fails in another way", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(notationOf(bytes)).not.toBe("");
      }),
      { numRuns: 2000 },
    );
  });

  it("writes the shortest forms of lengths and numbers", () => {
    expect(written({ a: 23, b: 24, c: 256, d: 65_536, e: 4_294_967_296, f: -1, g: -25 })).toBe(
      "a741611741621818416319010041641a0001000041651b000000010000000041662041673818",
    );
    expect(written({ a: 0.5, b: 0.1, c: 1e300, d: 65_504.5, e: 6e-8 })).toBe(
      "a54161f938004162fb3fb999999999999a4163fb7e37e43c8800759c4164fa477fe0804165fb3e701b2b29a4692b",
    );
  });

  it("writes bytes of built-in kinds as such, with the tag that lets others show them in base64", () => {
    const object = { apiVersion: "v1", kind: "Secret", data: { k: "AP8=" } };
    expect(written(object)).toContain("416bd64200ff");
    expect(written({ ...object, apiVersion: "example.com/v1" })).toContain("416b444150383d");
  });

  it("writes numbers of schemas as floats, which are integers in JSON", () => {
    const schema = { openAPIV3Schema: { properties: { size: { maximum: 100, maxLength: 100 } } } };
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      spec: { versions: [{ schema }] },
    };
    expect(written(definition)).toContain(`${Buffer.from("maximum").toString("hex")}f95640`);
    expect(written(definition)).toContain(`${Buffer.from("maxLength").toString("hex")}1864`);
  });

  it.each([
    ["d9d9f7a1616101", { a: 1 }],
    ["a1d64161f5", { "YQ==": true }],
    ["a14161d642ffff", { a: "//8=" }],
    ["bf61619f01ff61625f41004101ffff", { a: [1], b: "\0\u0001" }],
    ["a169" + Buffer.from("__proto__").toString("hex") + "a0", JSON.parse('{"__proto__":{}}')],
    ["a161611b7fffffffffffffff", { a: 2n ** 63n - 1n }],
    ["a16161c11a514b67b0", { a: "2013-03-21T20:04:00Z" }],
    ["a16161c1fb41d452d9ec200000", { a: "2013-03-21T20:04:00.5Z" }],
  ])("reads %s", (digits, value) => {
    expect(readCbor(hex(digits))).toEqual(value);
  });

  it.each([
    ["", "EOF"],
    ["a1", "unexpected EOF"],
    ["0000", "cbor: 1 bytes of extraneous data starting at index 1"],
    ["f97e00", "cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN"],
    ["c24101", "cbor: data item of cbor type tag is not accepted by protocol: bignum"],
    ["a2616101416102", 'cbor: found duplicate map key "a" at map element index 1'],
    ["81".repeat(65) + "00", "cbor: exceeded max nested level 64"],
    ["1bffffffffffffffff", "overflows Go's int64"],
  ])("refuses %s", (digits, message) => {
    expect(() => readCbor(hex(digits))).toThrow(message);
  });

  it("refuses more items than servers of a version allow", () => {
    const array = hex(`990401${"00".repeat(1025)}`);
    const map = hex(
      `bf${Array.from({ length: 1025 }, (_, key) => `19${key.toString(16).padStart(4, "0")}00`).join("")}ff`,
    );
    expect(() => checkWellFormed(array, OLD)).toThrow("cbor: exceeded max number of elements 1024 for CBOR array");
    expect(() => checkWellFormed(map, OLD)).toThrow("cbor: exceeded max number of key-value pairs 1024 for CBOR map");
    expect(() => checkWellFormed(hex(`9f${"00".repeat(1025)}ff`), OLD)).toThrow("exceeded max number of elements 1024");
    for (const bytes of [array, map]) expect(() => checkWellFormed(bytes)).not.toThrow();
    expect(() => checkWellFormed(hex("9a80000000"))).toThrow(
      "cbor: exceeded max number of elements 2147483647 for CBOR array",
    );
    expect(() => checkWellFormed(hex("ba00200001"))).toThrow(
      "cbor: exceeded max number of key-value pairs 2097152 for CBOR map",
    );
  });

  it("refuses lengths beyond the data without reserving memory for them", () => {
    expect(() => checkWellFormed(hex("9b00000000000003e8"))).toThrow("unexpected EOF");
    expect(() => checkWellFormed(hex("5a7fffffff"))).toThrow("unexpected EOF");
    expect(() => checkWellFormed(hex("5bffffffffffffffff"))).toThrow("is too large");
  });
});

// Fails with any other error.
function notationOf(bytes: Uint8Array): string {
  try {
    readCbor(bytes);
  } catch (error) {
    if (error instanceof MalformedCborError) return error.message;
    throw error;
  }
  return diagnosticNotation(bytes);
}

import { describe, expect, it } from "vitest";

import { validate } from "../src/index.ts";

// The answers of kube-openapi, which converts bounds to integers of 64 bits.
describe("a bound that is not within 64 bits", () => {
  it.each([
    [{ maximum: Number("9223372036854775807") }, "size in body should be less than or equal to -9223372036854775808"],
    [{ maximum: Number("9223372036854774784") }, undefined],
    [{ minimum: -1e19 }, undefined],
    [{ minimum: Number("9223372036854775807") }, undefined],
    [{ maximum: 7.5 }, undefined],
    [{ multipleOf: 1e19 }, "factor MultipleOf declared for size must be positive: -9223372036854775808"],
  ])("is the smallest integer: %j", (bounds, refused) => {
    const schema = { type: "object", properties: { size: { type: "integer", ...bounds } } };
    const details = validate(schema, { size: 5 }).map(({ detail }) => detail);
    expect(details).toEqual(refused === undefined ? [] : [refused]);
  });

  it("is a bound of fractions", () => {
    const schema = { type: "object", properties: { size: { type: "number", maximum: 1e19 } } };
    expect(validate(schema, { size: 5.5 })).toEqual([]);
  });
});

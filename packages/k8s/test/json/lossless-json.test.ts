import { describe, expect, it } from "vitest";

import {
  parseLosslessJson,
  parseServerJson,
  printLosslessJson,
  printServerJson,
  UnprintableNumberError,
} from "../../src/json/lossless-json.ts";

describe("integers beyond 2^53", () => {
  it.each([
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["18446744073709551615", 18446744073709551615n],
    ["9007199254740991", 9007199254740991],
    ["1234567890123456", 1234567890123456],
    ["123456789012345678901", Number("123456789012345678901")],
    ["1234567890123456789.5", Number("1234567890123456789.5")],
    ["1234567890123456789e1", Number("1234567890123456789e1")],
    ["1e-1234567890123456789", 0],
    ["0.12345678901234567890123", 0.12345678901234568],
  ])("%s is read as %s", (text, value) => {
    expect(parseLosslessJson(text)).toBe(value);
    expect(parseLosslessJson(`{"a":[${text}, ${text} ],"b": ${text}}`)).toEqual({ a: [value, value], b: value });
  });

  it("texts and keys with digits stay texts, also after escaped quotes", () => {
    const value = { "9007199254740993": String.raw`\" : 9007199254740993,`, b: [String.raw`\\`, 9007199254740993n] };
    const text = printLosslessJson(value);
    expect(text).toBe(String.raw`{"9007199254740993":"\\\" : 9007199254740993,","b":["\\\\",9007199254740993]}`);
    expect(parseLosslessJson(text)).toEqual(value);
  });

  it("a member named __proto__ is a member", () => {
    const value = parseLosslessJson('{"__proto__":{"x":9007199254740993}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(printLosslessJson(value)).toBe('{"__proto__":{"x":9007199254740993}}');
  });

  it("are found at any place of a text, also beside shorter numbers", () => {
    for (let offset = 0; offset < 40; offset += 1) {
      for (const shorter of ["1", "123456789012345"]) {
        const text = `[${" ".repeat(offset)}${shorter}, 9007199254740993]`;
        expect(parseLosslessJson(text)).toEqual([Number(shorter), 9007199254740993n]);
      }
    }
  });

  it("a text that is not JSON fails as with JSON.parse", () => {
    expect(() => parseLosslessJson('{"a":9007199254740993')).toThrow(SyntaxError);
  });
});

describe("numbers without a JSON form", () => {
  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [parseLosslessJson("1e400")]])("%s is refused", (value) => {
    expect(() => printLosslessJson({ a: [value], b: 9007199254740993n })).toThrow(UnprintableNumberError);
    expect(printLosslessJson({ a: null })).toBe('{"a":null}');
  });
});

describe("JSON as API servers read it", () => {
  it.each([
    ["9007199254740993", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["9223372036854775808", 9223372036854775808],
    ["-9223372036854775809", -9223372036854775808],
    ["18446744073709551615", 18446744073709551616],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993.0", 9007199254740992],
    ["9007199254740993e0", 9007199254740992],
  ])("%s is an integer of 64 bits or else a float: %s", (text, value) => {
    expect(parseServerJson(text)).toBe(value);
    expect(parseServerJson(`{"a":[${text}]}`)).toEqual({ a: [value] });
  });

  it("is printed with all digits of integers, also with indentation", () => {
    const value = { a: 9007199254740993n, b: [9223372036854775807n, "1n"] };
    expect(printServerJson(value)).toBe('{"a":9007199254740993,"b":[9223372036854775807,"1n"]}');
    expect(printServerJson({ a: 9007199254740993n }, 2)).toBe('{\n  "a": 9007199254740993\n}');
    expect(parseServerJson(printServerJson(value))).toEqual(value);
  });
});

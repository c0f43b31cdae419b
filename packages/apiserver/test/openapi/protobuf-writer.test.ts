import { expect, it } from "vitest";

import { ProtobufWriter } from "../../src/openapi/swagger-protobuf.ts";

function hex(write: (writer: ProtobufWriter) => void): string {
  const writer = new ProtobufWriter();
  write(writer);
  return Buffer.from(writer.bytes()).toString("hex");
}

// The bytes are those of the encoding's specification.
it.each<readonly [string, (writer: ProtobufWriter) => void, string]>([
  ["a number", (writer) => writer.integer(1, 150), "089601"],
  ["a boolean", (writer) => writer.integer(1, true), "0801"],
  ["a negative number", (writer) => writer.integer(1, -2), "08feffffffffffffffff01"],
  ["a text", (writer) => writer.string(2, "testing"), "120774657374696e67"],
  ["a text beyond ASCII", (writer) => writer.string(2, "é"), "1202c3a9"],
  ["a message", (writer) => writer.message(3, (inner) => inner.integer(1, 150)), "1a03089601"],
  ["a message without fields", (writer) => writer.message(3, () => undefined), "1a00"],
  ["a double", (writer) => writer.double(6, 1.5), "31000000000000f83f"],
  ["a field with a large number", (writer) => writer.integer(31, 1), "f80101"],
])("writes %s", (_, write, expected) => {
  expect(hex(write)).toBe(expected);
});

it("writes the length of long content in several bytes", () => {
  expect(hex((writer) => writer.string(1, "a".repeat(300)))).toBe(`0aac02${"61".repeat(300)}`);
});

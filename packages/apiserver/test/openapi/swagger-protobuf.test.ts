import { expect, it } from "vitest";

import { swaggerProtobuf } from "../../src/openapi/swagger-protobuf.ts";

const field = (number: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  // Every part of this test is short, and every field has a small number or one of two bytes.
  const tag = number * 8 + 2;
  return Buffer.concat([
    Buffer.from(tag < 128 ? [tag] : [(tag % 128) + 128, tag >> 7]),
    Buffer.from([content.length]),
    content,
  ]);
};
const text = (number: number, value: string): Buffer => field(number, Buffer.from(value));

it("writes definitions with what clients look at: types, fields, references, what is required, and extensions", () => {
  const document = {
    swagger: "2.0",
    definitions: {
      Pod: {
        type: "object",
        required: ["spec"],
        properties: { spec: { $ref: "#/definitions/Spec" } },
        additionalProperties: false,
        "x-kubernetes-map-type": "atomic",
      },
    },
  };
  const schema = [
    field(22, text(1, "object")),
    text(19, "spec"),
    field(25, field(1, text(1, "spec"), field(2, text(1, "#/definitions/Spec")))),
    field(21, Buffer.from([0x10, 0x00])),
    field(31, text(1, "x-kubernetes-map-type"), field(2, text(2, '"atomic"'))),
  ];
  const expected = Buffer.concat([text(1, "2.0"), field(9, field(1, text(1, "Pod"), field(2, ...schema)))]);
  expect(Buffer.from(swaggerProtobuf(document))).toEqual(expected);
});

it("writes operations with their parameters of the query, which tell clients what the server checks", () => {
  const patch = { parameters: [{ name: "force", in: "query", type: "boolean" }], "x-kubernetes-action": "patch" };
  const parameter = field(3, text(4, "force"), text(2, "query"), text(6, "boolean"));
  const operation = [
    field(8, field(1, field(2, parameter))),
    field(13, text(1, "x-kubernetes-action"), field(2, text(2, '"patch"'))),
  ];
  const expected = field(8, field(2, text(1, "/pods"), field(2, field(8, ...operation))));
  expect(Buffer.from(swaggerProtobuf({ paths: { "/pods": { patch } } }))).toEqual(expected);
});

it("writes bodies, and the variables of paths, which are required", () => {
  const flag = Buffer.from([0x08, 0x01]);
  const body = { name: "body", in: "body", required: true, schema: { $ref: "#/d" } };
  const name = { name: "name", in: "path", required: true, type: "string" };
  const requiredBody = [text(2, "body"), text(3, "body"), Buffer.from([0x20, 0x01]), field(5, text(1, "#/d"))];
  const item = [
    field(3, field(8, field(1, field(1, ...requiredBody)))),
    field(9, field(1, field(2, field(4, text(4, "name"), text(2, "path"), flag, text(5, "string"))))),
  ];
  const expected = field(8, field(2, text(1, "/x"), field(2, ...item)));
  const document = { paths: { "/x": { put: { parameters: [body] }, parameters: [name] } } };
  expect(Buffer.from(swaggerProtobuf(document))).toEqual(expected);
});

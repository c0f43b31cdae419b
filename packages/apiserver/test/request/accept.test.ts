import { describe, expect, it } from "vitest";

import { negotiate } from "../../src/request/request-context.ts";

const form = (accept: string | undefined): string => {
  const { mediaType, transform } = negotiate(accept, { isPretty: false, hasProtobuf: true, hasCbor: false });
  return transform === undefined ? mediaType : `${mediaType} ${transform.as} ${transform.version}`;
};

describe("negotiate", () => {
  it.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/yaml", "application/yaml"],
    ["application/vnd.kubernetes.protobuf,application/json", "application/vnd.kubernetes.protobuf"],
    ["application/vnd.kubernetes.protobuf;q=0.5,application/json", "application/json"],
    ["application/json;q=0.5,application/yaml", "application/yaml"],
    [
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
      "application/json Table v1",
    ],
    ["application/json;as=Table;v=v9;g=meta.k8s.io,application/json", "application/json"],
    [
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
      "application/vnd.kubernetes.protobuf PartialObjectMetadata v1",
    ],
  ])("chooses for %s", (accept, expected) => {
    expect(form(accept)).toBe(expected);
  });

  it("ignores tables of what has no columns", () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml";
    const options = { isPretty: false, hasProtobuf: true, hasCbor: false, hasTable: false };
    expect(negotiate(accept, options)).toEqual({ mediaType: "application/yaml", isPretty: false });
  });

  it.each([
    "image/png",
    "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=Foo;v=v1;g=meta.k8s.io",
  ])("refuses %s alone", (accept) => {
    expect(() => form(accept)).toThrow(
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
  });
});

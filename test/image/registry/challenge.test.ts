import { describe, expect, it } from "vitest";

import { parseChallenge } from "../../../src/image/registry/registry-client.ts";

describe("parseChallenge", () => {
  it("reads where a token is to be had, and for what", () => {
    const header =
      'Bearer realm="https://auth.example/token",service="a, b",scope="repository:x:pull,push repository:y:pull"';
    expect(parseChallenge(header)).toEqual({
      kind: "bearer",
      realm: "https://auth.example/token",
      service: "a, b",
      scopes: ["repository:x:pull,push", "repository:y:pull"],
    });
  });

  it("needs no service and no scope, and takes values without quotes", () => {
    expect(parseChallenge("bearer realm=https://auth.example/token")).toEqual({
      kind: "bearer",
      realm: "https://auth.example/token",
      scopes: [],
    });
  });

  it("reads that a password will do", () => {
    expect(parseChallenge('Basic realm="x"')).toEqual({ kind: "basic" });
  });

  it.each(["", "Negotiate", "Bearer", 'Bearer realm="no address"'])("knows nothing of %j", (header) => {
    expect(parseChallenge(header)).toBeUndefined();
  });
});

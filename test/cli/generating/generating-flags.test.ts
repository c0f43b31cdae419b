import { describe, expect, it } from "vitest";

import { generatingOptions, splitFlags } from "../../../src/cli/generating/generating-flags.ts";

describe("flags among controller-gen's words", () => {
  it.each([
    [["crd", "--strict", "paths=./..."], { strict: true }],
    [["--no-cache", "crd", "paths=./..."], { cache: false }],
    [["--cache=false", "--prune=true", "--watch", "crd", "paths=./..."], { cache: false, prune: true, watch: true }],
    [["--strict", "--no-strict", "crd", "paths=./..."], { strict: false }],
  ])("are removed from %j", (given, flags) => {
    expect(splitFlags(given, "scaffold gen")).toEqual({ flags, words: ["crd", "paths=./..."] });
  });

  it.each(["--stric", "--no-cahce", "--nonsense", "-x", "--cached=true"])(
    "%s is refused, with the nearest name where one is near",
    (word) => {
      expect(() => splitFlags(["crd", word], "scaffold gen")).toThrow(
        expect.objectContaining({ code: "CLI_UNKNOWN_FLAG", hint: expect.stringMatching(/did you mean|--help/u) }),
      );
    },
  );

  it.each(["--strict=maybe", "--strict=", "--no-strict=true"])("%s is refused", (word) => {
    expect(() => splitFlags([word], "scaffold gen")).toThrow(expect.objectContaining({ code: "CLI_INVALID_FLAG" }));
  });
});

it("without flags warnings are no errors, nothing is deleted, and the cache is used", () => {
  expect(generatingOptions({})).toEqual({ isStrict: false, watches: false, prunes: false, usesCache: true });
});

import { describe, expect, it } from "vitest";

import { generatingOptions, splitFlags } from "../../../src/cli/generating/generating-flags.ts";

describe("flags among controller-gen's words", () => {
  it.each([
    [["crd", "--strict", "paths=./..."], { strict: true }],
    [["--no-cache", "crd", "paths=./..."], { cache: false }],
    [["--cache=false", "--prune=true", "--watch", "crd", "paths=./..."], { cache: false, prune: true, watch: true }],
    [["--strict", "--no-strict", "crd", "paths=./..."], { strict: false }],
    [["--kubernetes=1.36", "crd", "paths=./..."], { kubernetes: "1.36" }],
    [["crd", "--kubernetes", "1.36", "paths=./...", "--strict"], { kubernetes: "1.36", strict: true }],
  ])("are removed from %j", (given, flags) => {
    expect(splitFlags(given, "scaffold gen")).toEqual({ flags, words: ["crd", "paths=./..."] });
  });

  it.each(["--stric", "--no-kubernetes", "--no-cahce", "--nonsense", "-x", "--cached=true"])(
    "%s is refused, with the nearest name where one is near",
    (word) => {
      expect(() => splitFlags(["crd", word], "scaffold gen")).toThrow(
        expect.objectContaining({ code: "CLI_UNKNOWN_FLAG", hint: expect.stringMatching(/did you mean|--help/u) }),
      );
    },
  );

  it.each(["--strict=maybe", "--strict=", "--no-strict=true", "--kubernetes"])("%s is refused", (word) => {
    expect(() => splitFlags([word], "scaffold gen")).toThrow(expect.objectContaining({ code: "CLI_INVALID_FLAG" }));
  });
});

it("without flags warnings are no errors, nothing is deleted, and the cache is used", () => {
  const terminal = { writeError: (text: string) => expect.unreachable(text) };
  expect(generatingOptions({}, terminal)).toEqual({ isStrict: false, watches: false, prunes: false, usesCache: true });
});

it("the version of Kubernetes is a minor version, and a longer one is a note", () => {
  const written: string[] = [];
  const terminal = { writeError: (text: string) => void written.push(text) };
  expect(generatingOptions({ kubernetes: "1.36" }, terminal)).toMatchObject({ kubernetesVersion: "1.36" });
  expect(written).toEqual([]);
  expect(generatingOptions({ kubernetes: "v1.36.2" }, terminal)).toMatchObject({ kubernetesVersion: "1.36" });
  expect(written).toEqual(['note: Kubernetes 1.36 is used for --kubernetes "v1.36.2"\n']);
  expect(() => generatingOptions({ kubernetes: "1.33" }, terminal)).toThrow(
    expect.objectContaining({ code: "KUBERNETES_VERSION" }),
  );
});

import { describe, expect, it } from "vitest";

import { readFlags } from "../../../../src/cli/command/define-command.ts";
import { IMAGE_FLAGS } from "../../../../src/cli/commands/image/image-flags.ts";
import { type ImageOptions, readImageOptions } from "../../../../src/cli/commands/image/image-options.ts";
import type { FlagValues } from "../../../../src/plugin/flag.ts";

const read = (flags: FlagValues, environment: NodeJS.ProcessEnv = {}): ImageOptions =>
  readImageOptions(readFlags(IMAGE_FLAGS, flags), "scaffold", environment);

describe("readImageOptions", () => {
  it("writes a folder unless the image goes elsewhere, and to as many places as are named", () => {
    const places = (flags: FlagValues): readonly unknown[] => {
      const { layoutPath, tarball, pushes } = read(flags);
      return [layoutPath, tarball, pushes];
    };
    expect(places({})).toEqual(["dist/image", undefined, false]);
    expect(places({ tarball: "x.tar" })).toEqual([undefined, "x.tar", false]);
    expect(places({ push: true, tag: ["a:v1"] })).toEqual([undefined, undefined, true]);
    expect(places({ push: true, tag: ["a:v1"], "oci-layout-path": "x", tarball: "y" })).toEqual(["x", "y", true]);
  });

  it("takes names, platforms and the entry point apart at commas, but no labels", () => {
    const options = read({
      tag: ["a:v1,b:v2"],
      platform: ["linux/arm64/v8"],
      entrypoint: ["node,/x"],
      label: ["a=b,c=d"],
    });
    expect(options.names.map(({ repository, tag }) => `${repository}:${tag}`)).toEqual([
      "library/a:v1",
      "library/b:v2",
    ]);
    expect(options.platforms).toEqual([{ os: "linux", architecture: "arm64", variant: "v8" }]);
    expect(options.entrypoint).toEqual(["node", "/x"]);
    expect(options.labels).toEqual({ a: "b,c=d" });
  });

  it("has no platform in mind when all are asked for", () => {
    expect(read({ platform: ["all"] }).platforms).toEqual([]);
  });

  it("takes the time from SOURCE_DATE_EPOCH, else none", () => {
    expect(read({}).createdAt).toEqual(new Date(0));
    expect(read({}, { SOURCE_DATE_EPOCH: "60" }).createdAt).toEqual(new Date(60_000));
    for (const text of ["soon", "-1", "1.5", "99999999999999999"])
      expect(() => read({}, { SOURCE_DATE_EPOCH: text })).toThrow("SOURCE_DATE_EPOCH");
  });

  it("writes no list of packages when none is wanted", () => {
    expect(read({}).sbomPath).toBe("dist/manager.spdx.json");
    expect(read({ "sbom-path": "x.json" }).sbomPath).toBe("x.json");
    expect(read({ sbom: false, "sbom-path": "x.json" }).sbomPath).toBeUndefined();
  });

  it.each([
    [{ tag: [`a@sha256:${"0".repeat(64)}`] }, "CLI_INVALID_FLAG"],
    [{ label: ["=x"] }, "CLI_INVALID_FLAG"],
    [{ push: true }, "CLI_MISSING_FLAG"],
    [{ tag: ["A B"] }, "IMAGE_REFERENCE"],
    [{ platform: ["arm64"] }, "IMAGE_PLATFORM"],
  ] as const)("refuses %j with %s", (flags, code) => {
    expect(() => read(flags)).toThrow(expect.objectContaining({ code }));
  });
});

import { describe, expect, test } from "vitest";

import {
  isSelectedVersion,
  parseReleasedVersion,
  parseVersionSelector,
  printVersion,
  type ReleasedVersion,
} from "../../src/binaries/version-selector.ts";

const VERSIONS = ["1.30.0", "1.30.4", "1.31.0", "1.31.2", "1.31.10", "1.32.1"].map(
  (text) => parseReleasedVersion(text) as ReleasedVersion,
);

describe("row 94: a version selector", () => {
  test.each([
    ["1.31.2", "1.31.2"],
    ["v1.31.2", "1.31.2"],
    ["1.31", "1.31.10"],
    ["1.31.x", "1.31.10"],
    ["1.31.*", "1.31.10"],
    ["~1.31.1", "1.31.10"],
    ["~1.31.11", undefined],
    ["<1.31", "1.30.4"],
    ["<=1.31", "1.31.10"],
    ["<=1.31.2", "1.31.2"],
    ["<1.31.2", "1.31.0"],
    ["latest", "1.32.1"],
    ["latest-on-disk", "1.32.1"],
    ["1.33", undefined],
  ])("%s selects %s", (text, expected) => {
    const selector = parseVersionSelector(text);
    const selected = VERSIONS.filter((version) => isSelectedVersion(selector, version)).at(-1);
    expect(selected && printVersion(selected)).toBe(expected);
  });

  test("a final exclamation mark asks for the index", () => {
    expect(parseVersionSelector("1.31.x!")).toMatchObject({ isLatestWanted: true });
    expect(parseVersionSelector("1.31.x")).toMatchObject({ isLatestWanted: false });
    expect(parseVersionSelector("latest")).toMatchObject({ isLatestWanted: true });
    expect(parseVersionSelector("latest-on-disk")).toMatchObject({ isLatestWanted: false });
    expect(parseVersionSelector("1.31.2!")).toEqual(parseVersionSelector("1.31.2"));
  });

  test.each(["", "1", "newest", "1.31.2-beta", ">1.31", "1.31.2.3"])(
    "%j is refused with the forms that are understood",
    (text) => {
      expect(() => parseVersionSelector(text)).toThrow(
        expect.objectContaining({ code: "ENVTEST_OPTIONS", hint: expect.stringContaining("latest-on-disk") }),
      );
    },
  );

  test("a prerelease is no released version", () => {
    expect(parseReleasedVersion("v1.31.0-rc.1")).toBeUndefined();
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readExactVersion } from "../../src/project/exact-version.ts";

describe("readExactVersion", () => {
  it.each([
    "0.0.0",
    "1.2.3",
    "10.20.30",
    "1.0.0-alpha.1",
    "1.0.0-0.3.7",
    "1.0.0--",
    "1.0.0-x-y.z",
    "1.0.0+20130313",
    "1.0.0-beta+exp.sha",
  ])("takes %s, which Semantic Versioning allows", (version) => expect(readExactVersion(version)).toBe(version));

  it("drops the v of a tag", () => expect(readExactVersion("v1.2.3")).toBe("1.2.3"));

  it.each([
    ["a path", "/tmp/evil"],
    ["a relative path", "../evil"],
    ["a repository", "user/repo"],
    ["a file", "file:../evil"],
    ["a repository over SSH", "git+ssh://git@example.com/evil.git"],
    ["an address", "https://example.com/evil.tgz"],
    ["an alias", "npm:evil@1.0.0"],
    ["a tarball", "1.0.0.tgz"],
    ["a tag", "latest"],
    ["a range", "^1.2.3"],
    ["another range", ">=1.2.3 <2.0.0"],
    ["a wildcard", "1.2.x"],
    ["two numbers", "1.2"],
    ["four numbers", "1.2.3.4"],
    ["a leading zero", "01.2.3"],
    ["a leading zero of a prerelease", "1.2.3-01"],
    ["an empty prerelease", "1.2.3-"],
    ["an empty identifier", "1.2.3-a..b"],
    ["an empty build", "1.2.3+"],
    ["two builds", "1.2.3+a+b"],
    ["a space", " 1.2.3"],
    ["a second line", "1.2.3\n"],
    ["two leading signs", "vv1.2.3"],
    ["an equals sign", "=1.2.3"],
    ["a flag", "--registry=http://example.com"],
    ["a number that npm cannot count", "9007199254740992.0.0"],
    ["a number that npm cannot count in a prerelease", "1.0.0-9007199254740992"],
    ["digits that are not of ASCII", "١.٢.٣"],
    ["more than npm reads", `1.2.3-${"a".repeat(300)}`],
    ["nothing", ""],
  ])("refuses %s", (_, text) => expect(readExactVersion(text)).toBeUndefined());

  it("never takes a text with a sign that names another place", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("/", ":", "@", "\\", " ", "*", "^", "~", "\0"),
        fc.string(),
        (a, sign, b) => {
          expect(readExactVersion(`${a}${sign}${b}`)).toBeUndefined();
          expect(readExactVersion(`1.0.0${a}${sign}${b}`)).toBeUndefined();
        },
      ),
    );
  });
});

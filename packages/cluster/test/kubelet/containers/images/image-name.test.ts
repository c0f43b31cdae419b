import { describe, expect, it } from "vitest";

import { imageNameProblem } from "../../../../src/kubelet/containers/images/image-name.ts";

const HEX = "0123456789abcdef".repeat(4);

// The texts are those of ParseNormalizedNamed of github.com/distribution/reference 0.6.0.
describe("the name of an image", () => {
  it.each([
    "app",
    "app:1",
    "team/app",
    "localhost/app",
    "localhost:5000/app:v1.2-rc_3",
    "example.com/team/app@sha256:" + HEX,
    "example.com/a__b.c-d---e:_",
    "EXAMPLE/app",
    "[::1]:5000/app",
    "app:v1@sha256:" + HEX,
    `app@sha384:${"a".repeat(96)}`,
    `app@sha512:${"a".repeat(128)}`,
    "a".repeat(247),
    `example.com/${"a".repeat(255)}`,
  ])("%s is valid", (image) => {
    expect(imageNameProblem(image)).toBeUndefined();
  });

  it.each([
    ["example.com/UPPER:v1", "invalid reference format: repository name (UPPER) must be lowercase"],
    ["App", "invalid reference format: repository name (library/App) must be lowercase"],
    ["app:", "invalid reference format"],
    ["a b", "invalid reference format"],
    ["app:-1", "invalid reference format"],
    [`app:${"x".repeat(129)}`, "invalid reference format"],
    ["http://example.com/app", "invalid reference format"],
    ["example.com//app", "invalid reference format"],
    ["app@sha256:123", "invalid reference format"],
    [HEX, `invalid repository name (${HEX}), cannot specify 64-byte hexadecimal strings`],
    ["a".repeat(248), "repository name must not be more than 255 characters"],
    [`example.com/${"a".repeat(256)}`, "repository name must not be more than 255 characters"],
    [`app@sha256:${"a".repeat(63)}`, "invalid checksum digest length"],
    [`app@md5:${"a".repeat(32)}`, "unsupported digest algorithm"],
    [`app@sha256:${"A".repeat(64)}`, "invalid checksum digest format"],
  ])("%s is invalid", (image, problem) => {
    expect(imageNameProblem(image)).toBe(problem);
  });
});

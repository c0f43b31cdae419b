import { describe, expect, it } from "vitest";

import { type ImageReference, parseImageReference } from "../image-reference.ts";

const HEX = "0123456789abcdef".repeat(4);

// What github.com/distribution/reference v0.6.0 makes of the same texts, apart from ports, which it does not bound.
const VALID: readonly (readonly [text: string, ImageReference])[] = [
  ["nginx", { path: "nginx" }],
  ["nginx:1.27", { path: "nginx", tag: "1.27" }],
  ["memcached:1.4.36-alpine", { path: "memcached", tag: "1.4.36-alpine" }],
  ["library/nginx", { path: "library/nginx" }],
  ["reg:5000/ns/img:1.2", { registry: "reg:5000", path: "ns/img", tag: "1.2" }],
  ["reg:5000/img", { registry: "reg:5000", path: "img" }],
  ["localhost/img", { registry: "localhost", path: "img" }],
  ["ghcr.io/acme/cache:v1", { registry: "ghcr.io", path: "acme/cache", tag: "v1" }],
  ["10.0.0.1:443/a/b/c", { registry: "10.0.0.1:443", path: "a/b/c" }],
  ["[2001:db8::1]:5000/img", { registry: "[2001:db8::1]:5000", path: "img" }],
  ["[::1]/img:x", { registry: "[::1]", path: "img", tag: "x" }],
  ["Registry/img", { registry: "Registry", path: "img" }],
  [`nginx@sha256:${HEX}`, { path: "nginx", digest: `sha256:${HEX}` }],
  [`nginx:1@sha256:${HEX}`, { path: "nginx", tag: "1", digest: `sha256:${HEX}` }],
  [
    `reg:5000/ns/img:1.2@sha512:${HEX}${HEX}`,
    { registry: "reg:5000", path: "ns/img", tag: "1.2", digest: `sha512:${HEX}${HEX}` },
  ],
  ["a__b/c-----d.e_f", { path: "a__b/c-----d.e_f" }],
  [`img:${"t".repeat(128)}`, { path: "img", tag: "t".repeat(128) }],
  ["img:_UPPER.and-lower_1", { path: "img", tag: "_UPPER.and-lower_1" }],
  [`g${"a".repeat(63)}`, { path: `g${"a".repeat(63)}` }],
  ["a".repeat(255), { path: "a".repeat(255) }],
];

const INVALID: readonly (readonly [text: string, problem: string])[] = [
  ["", "no name"],
  [":1.2", "no name"],
  [`@sha256:${HEX}`, "no name"],
  ["ghcr.io/", "no name"],
  ["Nginx", 'in lower case: "nginx"'],
  ["acme/Nginx", 'in lower case: "nginx"'],
  ["a//b", '"" is not a valid name part'],
  ["a___b", '"a___b" is not a valid name part'],
  ["a..b", '"a..b" is not a valid name part'],
  ["-a", '"-a" is not a valid name part'],
  ["my image", '"my image" is not a valid name part'],
  ["nginx:", '"" is not a tag'],
  ["nginx:-1", '"-1" is not a tag'],
  ["nginx:a:b", '"a:b" is not a tag'],
  ["nginx:1.2 ", '"1.2 " is not a tag'],
  [`img:${"t".repeat(129)}`, "is not a tag"],
  ["nginx@", '"" is not a digest'],
  ["nginx@latest", '"latest" is not a digest'],
  ["nginx@sha256:abc", '"sha256:abc" is not a digest'],
  [`nginx@sha256:${HEX}0`, "has 64 hexadecimal digits"],
  [`nginx@sha256:${HEX.toUpperCase()}`, "has 64 hexadecimal digits in lower case"],
  [`nginx@md5:${HEX}`, 'algorithm "md5" of its digest is not supported'],
  [`nginx@sha256:${HEX}@sha256:${HEX}`, "is not a digest"],
  ["reg:0/img", '"0" is not a port'],
  ["reg:65536/img", '"65536" is not a port'],
  ["reg:/img", '"" is not a port'],
  ["reg:http/img", '"http" is not a port'],
  ["-reg.io/img", '"-reg.io" is not a registry'],
  ["reg..io/img", '"reg..io" is not a registry'],
  ["https://ghcr.io/img", "is not a port"],
  [HEX, "an image ID"],
  ["a".repeat(256), "longer than 255"],
];

describe("a reference to an image", () => {
  it.each(VALID)("of %s has these parts", (text, parts) => {
    expect(parseImageReference(text)).toEqual(parts);
  });

  it.each(INVALID)("is not %j", (text, problem) => {
    expect(() => parseImageReference(text)).toThrow(
      expect.objectContaining({ code: "DEPLOY_IMAGE_INVALID_IMAGE", message: expect.stringContaining(problem) }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { imageName, parseReference, registryHost } from "../../src/image/reference.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

describe("parseReference", () => {
  it.each([
    ["node", "docker.io/library/node:latest"],
    ["node:22", "docker.io/library/node:22"],
    ["team/node", "docker.io/team/node:latest"],
    ["index.docker.io/node", "docker.io/library/node:latest"],
    ["localhost/node", "localhost/node:latest"],
    ["localhost:5000/a/b:v1", "localhost:5000/a/b:v1"],
    ["ghcr.example/a/b", "ghcr.example/a/b:latest"],
    ["[::1]:5000/a:v1", "[::1]:5000/a:v1"],
    [`example.com/a@${DIGEST}`, `example.com/a@${DIGEST}`],
    [`example.com:8443/a/b__c:v1@${DIGEST}`, `example.com:8443/a/b__c:v1@${DIGEST}`],
  ])("reads %s as %s", (text, name) => {
    expect(imageName(parseReference(text))).toBe(name);
  });

  it.each([
    "",
    ":v1",
    "a:",
    "a b",
    "A",
    "example.com/A",
    "a/../b",
    "a//b",
    "a:-v",
    `a:${"v".repeat(129)}`,
    "a@sha256:12",
    `a@${DIGEST}@${DIGEST}`,
    `${"a/".repeat(130)}a`,
    "exa mple.com/a",
    "user@example.com/a",
  ])("refuses %j", (text) => {
    expect(() => parseReference(text)).toThrow(expect.objectContaining({ code: "IMAGE_REFERENCE" }));
  });

  it("reads its own names again as the same", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/u);
    const names = fc.record({
      registry: fc.constantFrom("example.com", "localhost:5000", "127.0.0.1:80"),
      repository: fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
      tag: fc.stringMatching(/^\w[\w.-]{0,20}$/u),
    });
    fc.assert(
      fc.property(names, (name) => {
        expect(parseReference(imageName(name))).toEqual(name);
      }),
    );
  });

  it("asks the host that speaks for Docker's registry", () => {
    expect(registryHost(parseReference("node").registry)).toBe("registry-1.docker.io");
    expect(registryHost("example.com")).toBe("example.com");
  });
});

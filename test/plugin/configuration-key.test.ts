import { describe, expect, it } from "vitest";

import { configurationKeyOf } from "../../src/plugin/registry.ts";

describe("the key of a plugin's data in PROJECT", () => {
  it("is its own when the chain names it", () => {
    expect(configurationKeyOf("a.example.com/v1", ["b/v1", "a.example.com/v1"])).toBe("a.example.com/v1");
  });

  it("is that of a bundle with its name and version", () => {
    expect(configurationKeyOf("deploy.example.com/v1", ["deploy.acme.org/v1"])).toBe("deploy.acme.org/v1");
  });

  it("is its own when the bundle has another version or another name", () => {
    expect(configurationKeyOf("a.example.com/v1", ["a.acme.org/v2", "b.acme.org/v1", "a"])).toBe("a.example.com/v1");
  });
});

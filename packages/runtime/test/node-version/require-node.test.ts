import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { OLDEST_NODE, requireNode } from "../../src/node-version/require-node.ts";

describe("requireNode", () => {
  it.each(["20.19.0", "20.20.2", "22.0.0", "24.1.0", "26.0.0-nightly2026"])("accepts %s", (version) => {
    expect(() => requireNode(version, "scaffold")).not.toThrow();
  });

  it.each(["20.18.3", "18.20.8", "16.20.2", "14.21.3", "8.0.0"])("rejects %s in one sentence", (version) => {
    expect(() => requireNode(version, "scaffold")).toThrowError(
      expect.objectContaining({
        code: "NODE_UNSUPPORTED",
        message: `scaffold requires Node.js 20.19 or later, and this is Node.js ${version}: install the current LTS release from https://nodejs.org`,
      }),
    );
  });

  it("names the version in the engines of every package", () => {
    const manifests = [
      "../..",
      "../../../k8s",
      "../../../schema",
      "../../../apiserver",
      "../../../envtest",
      "../../../..",
    ];
    const engines = manifests.map((folder) => {
      const text = readFileSync(new URL(`${folder}/package.json`, import.meta.url), "utf8");
      return (JSON.parse(text) as { readonly engines: { readonly node: string } }).engines.node;
    });
    expect(new Set(engines)).toEqual(new Set([`>=${OLDEST_NODE}`]));
  });
});

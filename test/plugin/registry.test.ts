import { describe, expect, it } from "vitest";

import { definePlugin, type Plugin } from "../../src/plugin/plugin.ts";
import { type PluginRegistry, resolvePlugins } from "../../src/plugin/registry.ts";
import { embeddedTemplates } from "../../src/plugin/text-templates.ts";

function plugin(key: string): Plugin {
  return definePlugin({ key, description: key, templates: embeddedTemplates({}) });
}

const [base, kustomize, helm1, helm2] = [
  "base.ts.kubescaffold.dev/v1",
  "kustomize.common.kubescaffold.dev/v2",
  "helm.kubescaffold.dev/v1-alpha",
  "helm.kubescaffold.dev/v2-alpha",
].map(plugin);
const REGISTRY = {
  plugins: [kustomize, base, helm1, helm2],
  bundles: [{ key: "ts.kubescaffold.dev/v1", description: "", plugins: [kustomize, base] }],
  defaultKey: "ts.kubescaffold.dev/v1",
} as PluginRegistry;

describe("resolving plugin keys", () => {
  it.each(["ts.kubescaffold.dev/v1", "ts/v1", "ts", "t/v1", "ts/1"])(
    "%s is the bundle, whose plugins run in its order",
    (key) => {
      expect(resolvePlugins(REGISTRY, [key])).toEqual({ keys: ["ts.kubescaffold.dev/v1"], plugins: [kustomize, base] });
    },
  );

  it("runs each plugin once, also when it is named twice", () => {
    expect(resolvePlugins(REGISTRY, ["ts/v1", "helm/v2-alpha", "kustomize/v2"]).plugins).toEqual([
      kustomize,
      base,
      helm2,
    ]);
  });

  it("names each plugin once, also when it is given twice", () => {
    expect(resolvePlugins(REGISTRY, ["ts/v1", "helm/v2-alpha", "ts"]).keys).toEqual([
      "ts.kubescaffold.dev/v1",
      "helm.kubescaffold.dev/v2-alpha",
    ]);
  });

  it("lists the candidates of a key that is ambiguous", () => {
    expect(() => resolvePlugins(REGISTRY, ["h"])).toThrow(
      expect.objectContaining({
        code: "PLUGIN_AMBIGUOUS",
        hint: "write one of helm.kubescaffold.dev/v1-alpha, helm.kubescaffold.dev/v2-alpha",
      }),
    );
  });

  it.each([
    ["go/v4", "use ts/v1"],
    ["go.kubebuilder.io/v4", "use ts/v1"],
    ["base.go.kubebuilder.io/v4", "use ts/v1"],
    ["kustomize.common.kubebuilder.io/v2", "use kustomize.common.kubescaffold.dev/v2"],
    ["helm.kubebuilder.io/v2-alpha", "use helm.kubescaffold.dev/v2-alpha"],
    ["helm/v2", "use helm.kubescaffold.dev/v1-alpha or helm.kubescaffold.dev/v2-alpha"],
    ["ts.kubescaffold.dev/v7", "use ts.kubescaffold.dev/v1"],
    ["kustomise/v2", "did you mean kustomize/v2?"],
    ["nonsense/v9", "known plugins: ts.kubescaffold.dev/v1"],
  ])("%s is unknown and answered with: %s", (key, hint) => {
    expect(() => resolvePlugins(REGISTRY, [key])).toThrow(
      expect.objectContaining({ code: "PLUGIN_UNKNOWN", hint: expect.stringContaining(hint) }),
    );
  });

  it.each(["", "a/b/c", "Up/v1", "ts/vx", "ts/"])("%s is no key", (key) => {
    expect(() => resolvePlugins(REGISTRY, [key])).toThrow(expect.objectContaining({ code: "PLUGIN_INVALID_KEY" }));
  });
});

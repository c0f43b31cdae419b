import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { Flag } from "../../../src/plugin/flag.ts";
import { definePlugin, type Plugin } from "../../../src/plugin/plugin.ts";
import type { PluginRegistry } from "../../../src/plugin/registry.ts";
import { embeddedTemplates } from "../../../src/plugin/text-templates.ts";
import { INIT, runCommand, runCommands, STANDARD_REGISTRY } from "../../support/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SIZE: Flag = { name: "size", kind: "integer", help: "how large", default: "1" };

function pluginWith(key: string, flag: Flag): Plugin {
  return definePlugin({
    key,
    description: "",
    templates: embeddedTemplates({}),
    flags: (command) => (command === "edit" ? [flag] : []),
    edit: async ({ flags, configuration, storeConfiguration, note }) => {
      await Promise.resolve();
      note(`before: ${JSON.stringify(configuration)}`);
      storeConfiguration({ [flag.name]: flags[flag.name] ?? flag.default });
    },
  });
}

function registryWith(...plugins: readonly Plugin[]): PluginRegistry {
  return { ...STANDARD_REGISTRY, plugins: [...STANDARD_REGISTRY.plugins, ...plugins] };
}

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT);
  return root;
}

describe("the flags of plugins", () => {
  it("are flags of the command, whose values and data the plugin keeps in PROJECT", async () => {
    const root = await project();
    const registry = registryWith(pluginWith("size.example.com/v1", SIZE));
    const first = await runCommand(root, "edit --plugins size/v1 --size 3", registry);
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining("before: undefined") });
    expect(readFileSync(path.join(root, "PROJECT"), "utf8")).toContain('\n  size.example.com/v1:\n    size: "3"');
    const second = await runCommand(root, "edit --plugins size/v1", registry);
    expect(second.stdout).toContain('before: {"size":"3"}');
  });

  it("are shown by help, once when two plugins share one", async () => {
    const root = await project();
    const registry = registryWith(pluginWith("one.example.com/v1", SIZE), pluginWith("two.example.com/v1", SIZE));
    const { stdout } = await runCommand(root, "edit --help --plugins one/v1,two/v1", registry);
    expect(stdout.match(/--size int +how large \(default 1\)/gu)).toHaveLength(1);
  });

  it("name their plugin where it was not asked for", async () => {
    const root = await project();
    const create = "create api --group webapp --version v1 --kind Guestbook";
    for (const [line, hint] of [
      [`${create} --image nginx`, "add --plugins=deploy-image/v1-alpha"],
      ["edit --output-dir charts", "add --plugins=helm/v2-alpha"],
      ["edit --manifests bundle.yaml", "add --plugins=helm/v2-alpha"],
      ["edit --imag x", "run `scaffold edit --help`"],
    ] as const) {
      expect(await runCommand(root, line)).toMatchObject({ status: 2, stderr: expect.stringContaining(hint) });
    }
  });

  it("may not have two types", async () => {
    const root = await project();
    const other = pluginWith("two.example.com/v1", { ...SIZE, kind: "boolean" });
    const registry = registryWith(pluginWith("one.example.com/v1", SIZE), other);
    const { status, stderr } = await runCommand(root, "edit --plugins one/v1,two/v1 --size", registry);
    expect(status).toBe(1);
    expect(stderr).toContain("its flag --size has type boolean, but another plugin's has type integer");
  });

  it("are unknown to a call of other plugins", async () => {
    const root = await project();
    const registry = registryWith(pluginWith("size.example.com/v1", SIZE));
    expect(await runCommand(root, "edit --multigroup --size 3", registry)).toMatchObject({ status: 2 });
  });
});

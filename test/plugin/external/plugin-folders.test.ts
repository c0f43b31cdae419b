import path from "node:path";

import { describe, expect, it } from "vitest";

import { pluginFolders, pluginTimeoutMs } from "../../../src/plugin/external/plugin-folders.ts";

const foldersOf = (platform: NodeJS.Platform, variables: Readonly<Record<string, string>> = {}): readonly string[] =>
  pluginFolders({ variables, platform, home: "/home/me" });

describe("the folders of external plugins", () => {
  it.for<[NodeJS.Platform, string]>([
    ["linux", "/home/me/.config"],
    ["darwin", "/home/me/Library/Application Support"],
    ["win32", "/home/me/AppData/Roaming"],
  ])("are ours and upstream's below the configuration of %s", ([platform, folder]) => {
    expect(foldersOf(platform)).toEqual(
      ["kubescaffold", "kubebuilder"].map((name) => path.join(folder, name, "plugins")),
    );
  });

  it("are below XDG_CONFIG_HOME when it is set, and EXTERNAL_PLUGINS_PATH names the only one", () => {
    expect(foldersOf("darwin", { XDG_CONFIG_HOME: "/xdg" })[0]).toBe(path.join("/xdg", "kubescaffold", "plugins"));
    expect(foldersOf("linux", { XDG_CONFIG_HOME: "/xdg", EXTERNAL_PLUGINS_PATH: "/mine" })).toEqual(["/mine"]);
  });

  it("give a plugin a minute, or what the variable says", () => {
    expect(pluginTimeoutMs({})).toBe(60_000);
    expect(pluginTimeoutMs({ KUBESCAFFOLD_PLUGIN_TIMEOUT_SECONDS: "0.5" })).toBe(500);
    expect(pluginTimeoutMs({ KUBESCAFFOLD_PLUGIN_TIMEOUT_SECONDS: "soon" })).toBe(60_000);
  });
});

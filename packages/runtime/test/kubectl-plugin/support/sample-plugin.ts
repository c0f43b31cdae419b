import { ConfigMap } from "@kubescaffold/k8s/core/v1";

import {
  ageColumn,
  definePluginCommand,
  type KubectlPlugin,
  nameColumn,
  namesOf,
  runKubectlPlugin,
  type RunPluginOptions,
} from "../../../src/kubectl-plugin/index.ts";

const list = definePluginCommand({
  usage: "list",
  summary: "List settings",
  examples: ["kubectl settings list -A"],
  flags: [{ name: "size", short: "z", kind: "boolean", help: "print the number of keys" }],
  printsObjects: true,
  selectsObjects: true,
  run: async ({ connect, flags, print }) => {
    const { client, selection } = await connect();
    const keys = {
      header: "KEYS",
      value: (each: ConfigMap) => Object.keys(each.data ?? {}).length,
      isWide: flags.size !== true,
    };
    print.objects(await client.list(ConfigMap, selection), [nameColumn, keys, ageColumn]);
  },
});

const get = definePluginCommand({
  usage: "get <name>",
  summary: "Print one setting",
  flags: [{ name: "key", kind: "string", help: "key to print", values: ["first", "second"] }],
  printsObjects: true,
  complete: async (call) => (call.args.length === 0 ? await namesOf(call, ConfigMap) : []),
  run: async ({ args: [name = ""], connect, print, flags, write }) => {
    const { client, namespace } = await connect();
    const found = await client.get(ConfigMap, { namespace, name });
    if (flags.key !== undefined) write(`${found.data?.[flags.key] ?? ""}\n`);
    else print.objects(found, [nameColumn]);
  },
});

/** A plugin for ConfigMaps. */
const settingsPlugin: KubectlPlugin = {
  name: "settings",
  summary: "Works with the settings of a namespace.",
  commands: [list, get],
};

/** What a call of a plugin printed. */
export interface PluginOutput {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the plugin for ConfigMaps. */
export async function runSettings(line: string, options: RunPluginOptions = {}): Promise<PluginOutput> {
  return await runPlugin(settingsPlugin, line === "" ? [] : line.split(" "), options);
}

/** Runs a plugin, and returns what it printed. */
export async function runPlugin(
  plugin: KubectlPlugin,
  args: readonly string[],
  options: RunPluginOptions = {},
): Promise<PluginOutput> {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await runKubectlPlugin(plugin, {
    environment: {},
    ...options,
    args,
    write: (text) => void out.push(text),
    warn: (text) => void err.push(text),
  });
  return { status, out: out.join(""), err: err.join("") };
}

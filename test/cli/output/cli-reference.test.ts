import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { kustomize } from "../../../plugins/kustomize/index.ts";
import { COMMANDS, ROOT_COMMAND } from "../../../src/cli/commands.ts";
import { GLOBAL_FLAGS } from "../../../src/cli/flags/global-flags.ts";
import { renderCliReference } from "../../../src/cli/output/cli-reference.ts";
import type { Plugin } from "../../../src/plugin/plugin.ts";
import { PROJECT_SCHEMA } from "../../../src/project/project-schema.ts";
import { STANDARD_REGISTRY } from "../../support/run-command.ts";

const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));
const read = (page: string): string => readFileSync(path.join(DOCS, page), "utf8");

const { plugins, bundles } = STANDARD_REGISTRY;
const FACTS = {
  program: "scaffold",
  root: ROOT_COMMAND,
  commands: COMMANDS,
  globalFlags: GLOBAL_FLAGS,
  plugins: [...new Set([...plugins, ...bundles.flatMap((bundle) => bundle.plugins)])],
};

it("docs/reference/cli.md is generated from the commands and the plugins", async () => {
  await expect(await renderCliReference(FACTS)).toMatchFileSnapshot(path.join(DOCS, "reference/cli.md"));
});

it("the reference has the flags and the words of plugins at the commands that they take part in", async () => {
  const plugin: Plugin = {
    key: "notes.example.com/v1",
    description: "Notes",
    templates: kustomize.templates,
    edit: () => undefined,
    flags: () => [{ name: "color", kind: "string", help: "red | blue", isRequired: true }],
    help: () => ({ description: "Writes <notes>.", examples: "  scaffold edit --color red\n" }),
  };
  const commands = COMMANDS.filter(({ pluginCommand }) => pluginCommand === "edit" || pluginCommand === "create api");
  const page = await renderCliReference({ ...FACTS, commands, plugins: [plugin] });
  const section = page.slice(page.indexOf("With the plugin"));
  expect(section).toBe(
    [
      "With the plugin `notes.example.com/v1`:",
      "Writes &lt;notes>.",
      "```sh\nscaffold edit --color red\n```",
      "| Flag | Value | Default | |\n|---|---|---|---|\n| `--color` | string | required | red \\| blue |\n",
    ].join("\n\n"),
  );
});

describe("docs", () => {
  const all = readdirSync(DOCS, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".md"));
  // The index of the markers links their pages.
  const pages = all.filter((file) => file !== "README.md" && !/^reference\/markers\/(?!README)/u.test(file));

  it("are in folders, beside their index", () => {
    expect(pages.filter((page) => !page.includes("/"))).toEqual([]);
    const folders = new Set(pages.map((page) => page.split("/")[0]));
    expect(folders).toEqual(
      new Set([
        "concepts",
        "contribute",
        "guides",
        "migrate",
        "reference",
        "start",
        "support",
        "tutorials",
        "verification",
      ]),
    );
  });

  it("has an index that links every page", () => {
    const index = read("README.md");
    expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  });

  it("links only to files that exist", () => {
    const broken = all.flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/\]\((?<target>[^)#\s]+)(?:#[^)]*)?\)/gu)]
        .map((match) => match.groups?.["target"] ?? "")
        .filter((target) => !/^[a-z]+:/u.test(target) && !existsSync(path.join(DOCS, path.dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("explains every key of PROJECT", () => {
    const page = read("reference/project-file.md");
    expect(keysOf(PROJECT_SCHEMA).filter((key) => !page.includes(`| \`${key}\` |`))).toEqual([]);
  });

  it("tells users of kubebuilder where every command of theirs is", () => {
    const page = read("migrate/from-kubebuilder.md");
    const commands = [
      "init",
      "edit",
      "create api",
      "create webhook",
      "alpha generate",
      "alpha update",
      "completion",
      "version",
    ];
    expect(commands.filter((command) => !page.includes(`| \`kubebuilder ${command}`))).toEqual([]);
  });
});

// A regular expression in code looks like a link.
function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gmsu, "");
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function keysOf(schema: Schema, prefix = ""): readonly string[] {
  const below = schema.items?.properties ?? schema.properties ?? {};
  return Object.entries(below).flatMap(([name, child]) => {
    const key = `${prefix}${name}${child.items === undefined ? "" : "[]"}`;
    const deeper = keysOf(child, `${key}.`);
    return deeper.length === 0 ? [key] : deeper;
  });
}

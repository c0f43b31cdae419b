import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { printYaml, readYaml } from "@kubescaffold/k8s/yaml";
import { expect, it } from "vitest";

import { renderMarkerIndex, renderMarkerPages } from "../../src/markers/render-marker-pages.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";
import { MARKER_EXAMPLES, type MarkerExample } from "./marker-examples.ts";

const FOLDER = fileURLToPath(new URL("../../../../docs/reference/markers", import.meta.url));

it("docs/reference/markers/README.md is what the definitions say", async () => {
  await expect(renderMarkerIndex()).toMatchFileSnapshot(path.join(FOLDER, "README.md"));
});

it.each(renderMarkerPages())("the page of +$name is what its definition and the generator say", async (page) => {
  const example = MARKER_EXAMPLES[page.name];
  const text = example === undefined ? page.content : `${page.content}${await renderExample(example)}`;
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(path.join(FOLDER, page.file));
});

it("docs/reference/markers has no other pages", () => {
  const known = new Set(["README.md", ...renderMarkerPages().map(({ file }) => file)]);
  expect(readdirSync(FOLDER).filter((name) => !known.has(name))).toEqual([]);
});

it("every example belongs to a marker", () => {
  const names = new Set(renderMarkerPages().map(({ name }) => name));
  expect(Object.keys(MARKER_EXAMPLES).filter((name) => !names.has(name))).toEqual([]);
});

async function renderExample({ source, shows }: MarkerExample): Promise<string> {
  const result = await runGenerators({
    root: "/p",
    arguments: ["crd:omitToolVersion=true,maxDescLen=0", "rbac:roleName=manager-role", "webhook", "paths=./..."],
    host: memoryHost({ "/p/v1/types.ts": wholeSource(source) }),
  });
  expect(result.diagnostics).toEqual([]);
  const content = result.files[0]?.content ?? "";
  return ["## Example", "", "```ts", source, "```", "", "```yaml", excerpt(content, shows).trimEnd(), "```", ""].join(
    "\n",
  );
}

function wholeSource(source: string): string {
  const group = source.includes("+groupName") ? "" : "// +groupName=shop.example.com\n";
  const markers = /^(?:\/\/ \+(?:groupName|versionName).*\n)*/u.exec(source)?.[0] ?? "";
  const rest = source.slice(markers.length);
  const kind = rest.includes("WidgetSpec")
    ? "\nexport interface Widget extends NamespacedObject { spec: WidgetSpec }"
    : "";
  return `${group}${markers}import type { int32, IntOrString, RawExtension } from "@kubescaffold/k8s";
import type { KubernetesObject, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

${rest}${kind}
`;
}

function excerpt(content: string, shows: MarkerExample["shows"]): string {
  if (shows === "file") return content;
  const crd = readYaml(content) as {
    readonly metadata: object;
    readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
  };
  if (shows === "spec") return printYaml(crd.spec.versions[0]?.schema.openAPIV3Schema.properties?.["spec"] ?? {});
  const versions = crd.spec.versions.map(({ schema: _schema, ...rest }) => rest);
  return printYaml({ metadata: crd.metadata, spec: { ...crd.spec, versions } });
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

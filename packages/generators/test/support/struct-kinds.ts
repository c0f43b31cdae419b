import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const strings = JSON.parse(
  readFileSync(new URL("../../../../scripts/k8s-types/string-types.json", import.meta.url), "utf8"),
) as Readonly<Record<"values" | "aliases", Readonly<Record<string, unknown>>>>;

/** The names of the named strings of the built-in groups. */
export const STRINGS: ReadonlySet<string> = new Set(Object.keys({ ...strings.values, ...strings.aliases }));

/** Returns a source with a kind around each of these structs and named strings, such as `core/v1.Container`. */
export function sourceOf(names: readonly string[]): string {
  const groups = [...new Set(names.map((name) => name.slice(0, name.indexOf("."))))];
  const imports = groups.map((group) => `import type * as ${aliasOf(group)} from "@kubescaffold/k8s/${group}";`);
  const kinds = names.map((name) => {
    const [group = "", struct = ""] = name.split(".");
    return `export interface ${kindOf(name)} extends MetaV1.KubernetesObject { value: ${aliasOf(group)}.${struct} }`;
  });
  return ["// +groupName=golden.example.com", ...imports, "", ...kinds].join("\n");
}

/** Returns the name of the kind around a struct or named string. */
export function kindOf(name: string): string {
  const [group = "", struct = ""] = name.split(".");
  return aliasOf(group) + struct + (STRINGS.has(name) ? "String" : "");
}

function aliasOf(group: string): string {
  return group
    .split("/")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

/** Returns the name of the kind of a CRD. */
export function kindIn(content: string): string {
  return /^ {4}kind: (\w+)$/mu.exec(content)?.[1] ?? "";
}

/** Returns the digest of a CRD, as scripts/golden-built-in-structs.mjs records it. */
export function digestOf(content: string): string {
  return createHash("sha256")
    .update(content.replace(/^---\n/u, ""))
    .digest("hex")
    .slice(0, 16);
}

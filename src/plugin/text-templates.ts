import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { compileTemplate } from "../machinery/compile-template.ts";
import type { Template } from "../machinery/template.ts";
import { keyedTemplates, type TemplateSource } from "./scaffold-context.ts";

const SUFFIX = ".hbs";

/** Returns the templates in a folder, which are read and compiled when they are rendered. */
export function directoryTemplates(root: URL): TemplateSource {
  const folder = fileURLToPath(root);
  return { below: (below) => readBelow(path.join(folder, below)) };
}

/** Returns templates of these texts, keyed by their whole path; they are compiled when they are rendered. */
export function embeddedTemplates(texts: Readonly<Record<string, string>>): TemplateSource {
  return keyedTemplates(texts, (text) => () => compileTemplate(text));
}

function readBelow(folder: string): Readonly<Record<string, Template>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(SUFFIX));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const text = (): string => readFileSync(path.join(folder, name), "utf8");
      return [name.slice(0, -SUFFIX.length).replaceAll("\\", "/"), () => compileTemplate(text())];
    }),
  );
}

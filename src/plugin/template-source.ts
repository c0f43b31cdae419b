import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The templates of a plugin, by path with forward slashes, without the ending `.hbs`. */
export interface TemplateSource {
  /** Returns the texts of the templates below a folder, by their paths below it. */
  readonly below: (folder: string) => Readonly<Record<string, string>>;
}

const SUFFIX = ".hbs";

/** Returns templates that are read from a folder when they are needed. */
export function directoryTemplates(root: URL): TemplateSource {
  const folder = fileURLToPath(root);
  return { below: (below) => readBelow(path.join(folder, below)) };
}

/** Returns templates that are held in memory, keyed by their whole path. */
export function embeddedTemplates(texts: Readonly<Record<string, string>>): TemplateSource {
  return {
    below: (folder) =>
      Object.fromEntries(
        Object.entries(texts)
          .filter(([name]) => name.startsWith(`${folder}/`))
          .map(([name, text]) => [name.slice(folder.length + 1), text]),
      ),
  };
}

function readBelow(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(SUFFIX));
  return Object.fromEntries(
    names
      .toSorted()
      .map((name) => [
        name.slice(0, -SUFFIX.length).replaceAll("\\", "/"),
        readFileSync(path.join(folder, name), "utf8"),
      ]),
  );
}

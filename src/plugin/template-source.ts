import type { CompiledTemplate, Template } from "../machinery/template.ts";

/** The templates of a plugin, by path with forward slashes, without the extension `.hbs`. */
export interface TemplateSource {
  /** Returns the templates below a folder, by their paths below it. */
  readonly below: (folder: string) => Readonly<Record<string, Template>>;
}

/** Returns the templates of a module that `npm run generate:templates` wrote, keyed by their whole path. */
export function compiledTemplates(templates: Readonly<Record<string, CompiledTemplate>>): TemplateSource {
  return keyedTemplates(templates, (template) => () => template);
}

/** Returns templates in memory, keyed by their whole path. */
export function keyedTemplates<T>(
  templates: Readonly<Record<string, T>>,
  templateOf: (each: T) => Template,
): TemplateSource {
  return {
    below: (folder) =>
      Object.fromEntries(
        Object.entries(templates)
          .filter(([name]) => name.startsWith(`${folder}/`))
          .map(([name, each]) => [name.slice(folder.length + 1), templateOf(each)]),
      ),
  };
}

import { packageOfModule, type ProjectResource, type ScaffoldContext } from "../plugin/index.ts";

/** Adds the npm package of an external API to the dependencies of the project, unless it is there already. */
export function addModule({ tree }: ScaffoldContext, { module }: ProjectResource): void {
  if (module === undefined) return;
  const { name, version } = packageOfModule(module);
  tree.update("package.json", (text) => {
    const manifest = JSON.parse(text) as { dependencies?: Record<string, string> };
    if (manifest.dependencies?.[name] !== undefined) return text;
    const dependencies = Object.entries({ ...manifest.dependencies, [name]: version });
    dependencies.sort(([left], [right]) => (left < right ? -1 : 1));
    return `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(dependencies) }, undefined, 2)}\n`;
  });
}

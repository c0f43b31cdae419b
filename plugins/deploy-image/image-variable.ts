import {
  namesOf,
  type ProjectConfig,
  type ProjectResource,
  quotedText,
  type ScaffoldContext,
} from "kubescaffold/plugin";

const MANAGER = "config/manager/manager.yaml";

/** Returns the name of the variable that holds the image of a kind, distinct for kinds of one name in several groups. */
export function imageVariableOf(project: ProjectConfig, resource: ProjectResource): string {
  const { groupPrefix, kind } = namesOf(project, resource);
  const name = `${groupPrefix}${kind}_IMAGE`.replaceAll(/[^A-Za-z0-9]+/gu, "_").toUpperCase();
  // Names of variables that start with a digit are refused by older servers and by shells.
  return /^\d/u.test(name) ? `N${name}` : name;
}

/** Sets the variable on the manager's container; one that is set already gets the new value. */
export function addImageVariable(
  { project, tree, enable, insert }: ScaffoldContext,
  { resource, image }: { readonly resource: ProjectResource; readonly image: string },
): void {
  const name = imageVariableOf(project, resource);
  const lines = [`- name: ${name}`, `  value: ${quotedText(image)}`];
  enable(MANAGER, ["        env:"]);
  const present = tree.read(MANAGER);
  const known = present === undefined ? undefined : withValue(present, name, image);
  if (known === undefined) insert({ path: MANAGER, marker: "managerenv", lines });
  else tree.update(MANAGER, () => known);
}

// Returns the text with another value for a variable, or nothing when it has no such variable with its own value.
function withValue(content: string, name: string, image: string): string | undefined {
  const entry = new RegExp(`^(?<head>[ \\t]*- name: *["']?${name}["']?[ \\t]*\\r?\\n[ \\t]*value: *)[^\\r\\n]*`, "mu");
  return entry.test(content) ? content.replace(entry, (_, head: string) => `${head}${quotedText(image)}`) : undefined;
}

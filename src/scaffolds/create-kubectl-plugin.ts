import {
  type CreateKubectlPluginOptions,
  membersOf,
  namesOfPlugin,
  type Scaffold,
  updatePackageManifest,
} from "../plugin/index.ts";
import { boilerplateOf, resourceValues } from "./resource-values.ts";

/** Writes the program of a kubectl plugin with sample commands and a test, and the script that builds it. */
export const createKubectlPlugin: Scaffold<CreateKubectlPluginOptions> = (context, { name, resource, force }) => {
  const { folder, script, build } = namesOfPlugin(name);
  const ifExists = force ? "overwrite" : "error";
  const { values } = resourceValues(context, resource, folder);
  const condition = resource.core === true && resource.kind === "Deployment" ? "Available" : "Ready";
  const projectName = context.project.projectName ?? "";
  context.renderTemplates("kubectl-plugin/program", {
    into: folder,
    values: {
      ...values,
      ...otherName(resource.kind),
      name,
      projectName,
      condition,
      conditionHeader: condition.toUpperCase(),
    },
    ifExists,
  });
  context.renderTemplates("kubectl-plugin/hack", {
    into: "hack",
    values: { boilerplate: boilerplateOf(context.tree) },
    ifExists: "skip",
  });
  updatePackageManifest(context.tree, (manifest) => {
    const scripts = membersOf(manifest, "scripts");
    return scripts[script] === undefined ? { scripts: { ...scripts, [script]: build } } : {};
  });
};

// What the sources of a plugin import beside the kind.
const TAKEN_NAMES: ReadonlySet<string> = new Set(["KubectlPlugin", "PluginCommand", "TestEnvironment"]);

function otherName(kind: string): Readonly<Record<string, string>> {
  if (!TAKEN_NAMES.has(kind)) return {};
  return { kindName: `${kind}Object`, kindImport: `${kind} as ${kind}Object` };
}

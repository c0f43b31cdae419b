import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectResource, ProjectWebhooks } from "../project/project-config.ts";
import { webhookNamesOf } from "../project/webhook-names.ts";
import { importedFile, markerArguments, namedImports } from "./source-facts.ts";

/** Returns the files with controllers, in the order in which `cmd/main.ts` imports them. */
export function controllerFiles(tree: FileTree): readonly string[] {
  return inOrderOfMain(
    tree,
    tree.filesBelow("internal/controller").filter((file) => file.endsWith("_controller.ts")),
  );
}

/** Returns the files with webhooks, in the order in which `cmd/main.ts` imports them. */
export function webhookFiles(tree: FileTree): readonly string[] {
  return inOrderOfMain(
    tree,
    tree.filesBelow("internal/webhook").filter((file) => file.endsWith("_webhook.ts")),
  );
}

function inOrderOfMain(tree: FileTree, files: readonly string[]): readonly string[] {
  const main = tree.read("cmd/main.ts") ?? "";
  return files.toSorted((left, right) => main.indexOf(`"../${left}"`) - main.indexOf(`"../${right}"`));
}

/** Returns the name of the controller in a file. */
export function controllerNameOf(file: string): string {
  return file
    .slice(file.lastIndexOf("/") + 1)
    .replace(/_controller\.ts$/u, "")
    .replaceAll("_", "-");
}

/** Returns what PROJECT records of the controllers of a kind. */
export function controllerEntries(
  kind: string,
  names: readonly string[],
): Pick<ProjectResource, "controller" | "controllers"> {
  if (names.length === 0) return {};
  const isUsual = names.length === 1 && names[0] === kind.toLowerCase();
  return isUsual ? { controller: true } : { controllers: names.map((name) => ({ name })) };
}

/** Returns what PROJECT records of the webhooks in a file. */
export function webhookEntries(tree: FileTree, file: string, resource: ProjectResource): ProjectWebhooks {
  const text = tree.read(file) ?? "";
  const has = (call: string): boolean => text.includes(`.${call}(`);
  const [defaulting, validation] = [has("withDefaulter"), has("withValidator")];
  const spoke = spokesOf(file, text);
  const usual = webhookNamesOf(resource);
  const markers = markerArguments(text, "kubebuilder:webhook");
  const nameOf = (mutating: string): string | undefined =>
    markers.find((each) => each["mutating"] === mutating)?.["name"];
  const [defaultingName, validationName] = [nameOf("true"), nameOf("false")];
  const paths = [pathIn(text, "withDefaulterCustomPath"), pathIn(text, "withValidatorCustomPath")];
  return {
    ...(has("withConversion") ? { conversion: true } : {}),
    ...(defaulting ? { defaulting } : {}),
    ...(defaulting && defaultingName !== undefined && defaultingName !== usual.defaulting ? { defaultingName } : {}),
    ...(defaulting && paths[0] !== undefined ? { defaultingPath: paths[0] } : {}),
    ...(spoke.length === 0 ? {} : { spoke }),
    ...(validation ? { validation } : {}),
    ...(validation && validationName !== undefined && validationName !== usual.validation ? { validationName } : {}),
    ...(validation && paths[1] !== undefined ? { validationPath: paths[1] } : {}),
    webhookVersion: "v1",
  };
}

function pathIn(text: string, call: string): string | undefined {
  const start = text.indexOf(`.${call}("`);
  if (start === -1) return undefined;
  const from = start + call.length + 3;
  return text.slice(from, text.indexOf('"', from));
}

// The versions whose converters the hub registers.
function spokesOf(file: string, text: string): readonly string[] {
  const imports = namedImports(text);
  return [...text.matchAll(/\.withConversion\(\s*(?<name>\w+)/gu)].flatMap(({ groups }) => {
    const module = imports.find(({ alias }) => alias === groups?.["name"])?.module;
    const target = module === undefined ? undefined : importedFile(file, module);
    const version = target?.split("/").at(-2);
    return version === undefined ? [] : [version];
  });
}

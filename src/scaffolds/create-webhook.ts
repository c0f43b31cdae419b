import path from "node:path";

import {
  type CreateWebhookOptions,
  namesOf,
  type ResourceNames,
  type Scaffold,
  type ScaffoldContext,
} from "../plugin/index.ts";
import { addModule } from "./add-module.ts";
import { createConversion } from "./create-conversion.ts";
import { importName, resourceValues } from "./resource-values.ts";

/**
 * Writes the webhooks of a kind with their test, and registers them in `cmd/main.ts`.
 *
 * Guarantees: a webhook that is added to a file of an earlier call leaves every other line of it alone.
 */
export const createWebhook: Scaffold<CreateWebhookOptions> = async (context, options) => {
  const { resource, force } = options;
  const folder = namesOf(context.project, resource).webhookFolder;
  const { names, values } = resourceValues(context, resource, folder);
  const { defaulting, validation } = resource.webhooks ?? {};
  const hasHandlers = defaulting === true || validation === true;
  const all = { ...values, ...webhookPaths(names, resource), hasHandlers };
  const file = `${folder}/${names.kindLower}_webhook.ts`;
  const render = { values: all, paths: { kind: names.kindLower }, into: folder };
  const isCode = (target: string): boolean => target === file;
  if (force || !context.tree.exists(file)) {
    context.renderTemplates("webhook/webhook", {
      ...render,
      ifExists: "overwrite",
      without: (target) => !isCode(target),
    });
  }
  // What only converts is tested by its round trips.
  const isLeftOut = (target: string): boolean =>
    isCode(target) || (!hasHandlers && !target.endsWith("/webhook_suite.ts"));
  context.renderTemplates("webhook/webhook", { ...render, ifExists: "skip", without: isLeftOut });
  addTypes(context, { options, names, values: all, file });
  if (options.conversion || (force && resource.webhooks?.conversion === true)) {
    await createConversion(context, { options, names, values: all, file });
  }
  register(context, names, file);
  addModule(context, resource);
  if (resource.core === true && names.qualifiedGroup === "" && names.kind === "Pod") context.note(POD_WARNING);
};

const POD_WARNING =
  "A webhook on Pods also decides on the Pod of the manager itself: exclude its namespace with a namespaceSelector, or it cannot start while no other replica serves the webhook.";

function webhookPaths(
  { qualifiedGroup, version, kindLower }: ResourceNames,
  { webhooks = {} }: CreateWebhookOptions["resource"],
): Readonly<Record<string, string>> {
  const end = `${qualifiedGroup.replaceAll(".", "-")}-${version}-${kindLower}`;
  return {
    mutatePath: webhooks.defaultingPath ?? `/mutate-${end}`,
    validatePath: webhooks.validationPath ?? `/validate-${end}`,
  };
}

interface Addition {
  readonly options: CreateWebhookOptions;
  readonly names: ResourceNames;
  readonly values: Readonly<Record<string, unknown>>;
  readonly file: string;
}

// A file that is written anew gets every type the resource has, so that PROJECT and the file agree.
function addTypes(context: ScaffoldContext, { options, names, values, file }: Addition): void {
  const { resource, defaulting, validation, force } = options;
  if ((defaulting || validation) && context.tree.read(file)?.includes("webhookLog") === false) {
    addLog(context, file, names);
  }
  if (defaulting || (force && resource.webhooks?.defaulting === true)) {
    addType(context, file, {
      lines: context.renderLines("webhook/blocks/defaulter.ts", values),
      imported: "Defaulter",
      calls: [
        `.withDefaulter(new ${names.kind}CustomDefaulter())`,
        ...customPath("withDefaulterCustomPath", resource.webhooks?.defaultingPath),
      ],
    });
  }
  if (validation || (force && resource.webhooks?.validation === true)) {
    addType(context, file, {
      lines: context.renderLines("webhook/blocks/validator.ts", values),
      imported: "Validator, Warnings",
      calls: [
        `.withValidator(new ${names.kind}CustomValidator())`,
        ...customPath("withValidatorCustomPath", resource.webhooks?.validationPath),
      ],
    });
  }
}

// A file of a conversion alone has no use for these.
function addLog({ insert }: ScaffoldContext, file: string, { kindLower }: ResourceNames): void {
  insert({
    path: file,
    marker: "imports",
    lines: ['import { type AdmissionContext, log } from "@kubescaffold/runtime";'],
  });
  insert({
    path: file,
    marker: "webhookclass",
    lines: [`const webhookLog = log.withName("${kindLower}-resource");`, ""],
  });
}

function customPath(method: string, path: string | undefined): readonly string[] {
  return path === undefined ? [] : [`.${method}(${JSON.stringify(path)})`];
}

interface WebhookType {
  readonly lines: readonly string[];
  readonly imported: string;
  readonly calls: readonly string[];
}

function addType({ insert }: ScaffoldContext, file: string, { lines, imported, calls }: WebhookType): void {
  insert({ path: file, marker: "imports", lines: [`import type { ${imported} } from "@kubescaffold/runtime";`] });
  insert({ path: file, marker: "webhookbuilder", lines: calls });
  insert({ path: file, marker: "webhookclass", lines: [...lines, ""] });
}

function register({ project, insert }: ScaffoldContext, names: ResourceNames, file: string): void {
  const own = `setup${names.kind}WebhookWithManager`;
  const version = names.version.slice(0, 1).toUpperCase() + names.version.slice(1);
  const alias = importName(project, names, `setup${names.kind}${version}Webhook`);
  insert({
    path: "cmd/main.ts",
    marker: "imports",
    lines: [`import { ${own} as ${alias} } from "${path.posix.relative("cmd", file)}";`],
  });
  insert({
    path: "cmd/main.ts",
    marker: "builder",
    lines: ['if (process.env["ENABLE_WEBHOOKS"] !== "false") {', `  ${alias}(mgr);`, "}"],
  });
  const suite = `${path.posix.dirname(file)}/webhook_suite.ts`;
  insert({ path: suite, marker: "imports", lines: [`import { ${own} } from "./${path.posix.basename(file)}";`] });
  insert({ path: suite, marker: "webhook", lines: [`${own}(mgr);`] });
}

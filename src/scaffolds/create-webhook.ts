import path from "node:path";

import {
  certificateIssuerOf,
  type CreateWebhookOptions,
  namesOf,
  type ProjectResource,
  qualifiedGroupOf,
  quotedText,
  type ResourceNames,
  type Scaffold,
  type ScaffoldContext,
  STORAGE_VERSION,
  webhookNamesOf,
} from "../plugin/index.ts";
import { addModule, importName, resourceValues } from "./resource-values.ts";

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
  const all = { ...values, ...webhookPaths(names, resource), ...webhookNames(resource), hasHandlers };
  const file = `${folder}/${names.kindLower}_webhook.ts`;
  const keepsCode = !force && context.tree.exists(file);
  context.renderTemplates("webhook/webhook", {
    into: folder,
    values: all,
    paths: { kind: names.kindLower },
    ifExists: (path) => (path === file ? "overwrite" : "skip"),
    // A webhook that only converts is tested by its round trips.
    without: (path) => (path === file ? keepsCode : !hasHandlers && !path.endsWith("/webhook_suite.ts")),
  });
  addTypes(context, { options, names, values: all, file });
  if (options.conversion || (force && resource.webhooks?.conversion === true)) {
    await createConversion(context, { options, names, values: all, file });
    nameConversion(context, names);
  }
  register(context, resource);
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

function webhookNames(resource: ProjectResource): Readonly<Record<string, string>> {
  const { defaulting, validation } = webhookNamesOf(resource);
  return { defaulterName: defaulting, validatorName: validation };
}

interface Addition {
  readonly options: CreateWebhookOptions;
  readonly names: ResourceNames;
  readonly values: Readonly<Record<string, unknown>>;
  readonly file: string;
}

// A file that is overwritten gets every type the resource has, so that PROJECT and the file agree.
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
    lines: ['import { log } from "@kubescaffold/runtime";'],
  });
  insert({
    path: file,
    marker: "webhookclass",
    lines: [`const webhookLog = log.withName("${kindLower}-resource");`, ""],
  });
}

function customPath(method: string, path: string | undefined): readonly string[] {
  return path === undefined ? [] : [`.${method}(${quotedText(path)})`];
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

function register(context: ScaffoldContext, resource: ProjectResource): void {
  const { project, insert } = context;
  const own = setupOf(context, resource);
  insert({
    path: "cmd/main.ts",
    marker: "imports",
    lines: [`import { ${own.name} as ${own.alias} } from "${path.posix.relative("cmd", own.file)}";`],
  });
  insert({
    path: "cmd/main.ts",
    marker: "builder",
    lines: ['if (process.env["ENABLE_WEBHOOKS"] !== "false") {', `  ${own.alias}(mgr);`, "}"],
  });
  insert({
    path: own.suite,
    marker: "imports",
    lines: [`import { ${own.name} } from "./${path.posix.basename(own.file)}";`],
  });
  insert({ path: own.suite, marker: "webhook", lines: [`${own.name}(mgr);`] });
  for (const other of otherVersions(project, resource)) {
    const theirs = setupOf(context, other);
    serveToo(context, own.suite, theirs);
    if (isMadeBefore(context, theirs.suite)) serveToo(context, theirs.suite, own);
  }
}

/** The function that registers the webhooks of one version of a kind, and the suite beside it. */
interface Setup {
  readonly name: string;
  /** A name that no other version has. */
  readonly alias: string;
  readonly file: string;
  readonly suite: string;
}

function setupOf({ project }: ScaffoldContext, resource: ProjectResource): Setup {
  const names = namesOf(project, resource);
  const version = names.version.slice(0, 1).toUpperCase() + names.version.slice(1);
  return {
    name: `setup${names.kind}WebhookWithManager`,
    alias: importName(project, names, `setup${names.kind}${version}Webhook`),
    file: `${names.webhookFolder}/${names.kindLower}_webhook.ts`,
    suite: `${names.webhookFolder}/webhook_suite.ts`,
  };
}

function otherVersions(
  { resources = [] }: ScaffoldContext["project"],
  resource: ProjectResource,
): readonly ProjectResource[] {
  const [group, own] = [qualifiedGroupOf(resource), storedGroupOf(resource)];
  return resources.filter(
    (each) =>
      each.kind === resource.kind &&
      storedGroupOf(each) === own &&
      (each.version !== resource.version || qualifiedGroupOf(each) !== group) &&
      each.webhooks !== undefined,
  );
}

// Events are the same objects in both groups that have them.
function storedGroupOf(resource: ProjectResource): string {
  const group = qualifiedGroupOf(resource);
  return group === "events.k8s.io" && resource.core === true ? "" : group;
}

// A suite that is made later serves the others from the start. What is recorded of one part alone has none of the project's other files.
function isMadeBefore({ tree }: ScaffoldContext, suite: string): boolean {
  return tree.exists(suite) || !tree.exists("cmd/main.ts");
}

// An API server that writes one version of a kind may convert, and asks the webhooks of the others too.
function serveToo({ insert }: ScaffoldContext, suite: string, { name, alias, file }: Setup): void {
  const specifier = path.posix.relative(path.posix.dirname(suite), file);
  insert({ path: suite, marker: "imports", lines: [`import { ${name} as ${alias} } from "${specifier}";`] });
  insert({ path: suite, marker: "webhook", lines: [`${alias}(mgr);`] });
}

/** What the files of a conversion consist of. */
interface ConversionInput {
  readonly options: CreateWebhookOptions;
  readonly names: ResourceNames;
  readonly values: Readonly<Record<string, unknown>>;
  /** The file of the hub's webhooks. */
  readonly file: string;
}

/**
 * Writes the conversion between a hub and its spokes, marks the hub as the version that is stored, and registers the converters.
 *
 * Guarantees: what is there of earlier spokes stays as it is unless it is forced.
 */
async function createConversion(context: ScaffoldContext, input: ConversionInput): Promise<void> {
  const { options, names, values, file } = input;
  const { resource, previous, force } = options;
  const all = resource.webhooks?.spoke ?? [];
  const before = storedSpokes(previous, resource);
  const ifExists = force ? "overwrite" : "skip";
  await markStored(context, { resource, isHubAlready: before.length > 0 });
  context.renderTemplates("webhook/hub", {
    values,
    paths: { kind: names.kindLower },
    into: names.apiFolder,
    ifExists: "skip",
  });
  for (const version of all) {
    const spoke = spokeOf(context, { resource, names, version, file });
    if (!force && before.includes(version)) continue;
    const render = { values: { ...values, ...spoke.values }, ifExists } as const;
    context.renderTemplates("webhook/spoke", { ...render, paths: { kind: names.kindLower }, into: spoke.folder });
    context.renderTemplates("webhook/roundtrip", {
      ...render,
      paths: { kind: names.kindLower, spoke: version },
      into: names.webhookFolder,
    });
    context.insert({ path: file, marker: "imports", lines: spoke.imports });
    context.insert({ path: file, marker: "webhookbuilder", lines: [`.withConversion(${spoke.alias})`] });
  }
}

function storedSpokes(project: CreateWebhookOptions["previous"], resource: ProjectResource): readonly string[] {
  const { group, domain, version, kind } = resource;
  const stored = (project.resources ?? []).find(
    (each) => each.group === group && each.domain === domain && each.version === version && each.kind === kind,
  );
  return stored?.webhooks?.spoke ?? [];
}

// The manager writes the CA bundle of its certificate into the definitions that it converts.
function nameConversion({ project, insert }: ScaffoldContext, { plural, qualifiedGroup }: ResourceNames): void {
  if (certificateIssuerOf(project) !== "self-managed") return;
  insert({ path: "cmd/main.ts", marker: "conversions", lines: [`${quotedText(`${plural}.${qualifiedGroup}`)},`] });
}

interface Spoke {
  readonly folder: string;
  readonly alias: string;
  readonly imports: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

function spokeOf(
  { project }: ScaffoldContext,
  input: Pick<ConversionInput, "names" | "file"> & { readonly resource: ProjectResource; readonly version: string },
): Spoke {
  const { resource, names, version, file } = input;
  const folder = namesOf(project, { ...resource, version }).apiFolder;
  const converter = `${names.kindVariable}Converter`;
  const alias = `${names.kindVariable}${version.slice(0, 1).toUpperCase()}${version.slice(1)}Converter`;
  const own = `${folder}/${names.kindLower}_conversion.ts`;
  const hub = `${names.apiFolder}/${names.kindLower}_conversion.ts`;
  const webhookFolder = path.posix.dirname(file);
  return {
    folder,
    alias,
    imports: [`import { ${converter} as ${alias} } from "${path.posix.relative(webhookFolder, own)}";`],
    values: {
      spoke: version,
      crdBase: names.crdBase,
      hubImport: path.posix.relative(folder, hub),
      hubFromWebhook: path.posix.relative(webhookFolder, hub),
      spokeTypesFromWebhook: path.posix.relative(webhookFolder, `${folder}/${names.kindLower}_types.ts`),
      spokeFromWebhook: path.posix.relative(webhookFolder, own),
    },
  };
}

// A kind has one storage version; another one may have been marked before there was a hub. Later, it is the choice of the user.
async function markStored(
  context: ScaffoldContext,
  { resource, isHubAlready }: { readonly resource: ProjectResource; readonly isHubAlready: boolean },
): Promise<void> {
  const { project, tree, markType, unmarkType, note } = context;
  const types = typesOf(project, resource);
  if (!tree.exists(types)) return;
  const others = otherTypes(project, resource);
  if (isHubAlready && others.some((each) => tree.read(each.types)?.includes(STORAGE_VERSION) === true)) return;
  const marker = { type: resource.kind, marker: STORAGE_VERSION };
  if (!(await markType(types, marker))) {
    note(`Add "${STORAGE_VERSION}" to the comment of ${resource.kind} in ${types}.`);
    return;
  }
  for (const other of others) {
    if (!(await unmarkType(other.types, marker))) continue;
    note(
      `Moved "${STORAGE_VERSION}" from ${other.version} to the hub, ${resource.version}: stored objects stay in ${other.version} until they are next written.`,
    );
  }
}

function otherTypes(
  project: ScaffoldContext["project"],
  resource: ProjectResource,
): readonly { readonly version: string; readonly types: string }[] {
  const { crdBase } = namesOf(project, resource);
  return (project.resources ?? [])
    .filter((each) => each.api !== undefined && each.version !== resource.version)
    .filter((each) => namesOf(project, each).crdBase === crdBase)
    .map((each) => ({ version: each.version, types: typesOf(project, each) }));
}

function typesOf(project: ScaffoldContext["project"], resource: ProjectResource): string {
  const { apiFolder, kindLower } = namesOf(project, resource);
  return `${apiFolder}/${kindLower}_types.ts`;
}

import path from "node:path";

import {
  type CreateWebhookOptions,
  namesOf,
  type ProjectResource,
  type ResourceNames,
  type ScaffoldContext,
  STORAGE_VERSION,
} from "../plugin/index.ts";

/** What the files of a conversion are made of. */
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
export async function createConversion(context: ScaffoldContext, input: ConversionInput): Promise<void> {
  const { options, names, values, file } = input;
  const { resource, previous, force } = options;
  const all = resource.webhooks?.spoke ?? [];
  const before = storedSpokes(previous, resource);
  const ifExists = force ? "overwrite" : "skip";
  await markStored(context, names);
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

async function markStored({ tree, markType, note }: ScaffoldContext, names: ResourceNames): Promise<void> {
  const types = `${names.apiFolder}/${names.kindLower}_types.ts`;
  if (!tree.exists(types)) return;
  const isMarked = await markType(types, { type: names.kind, marker: STORAGE_VERSION });
  if (!isMarked) note(`Add "${STORAGE_VERSION}" to the comment of ${names.kind} in ${types}.`);
}

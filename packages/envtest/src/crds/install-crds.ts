import path from "node:path";

import { isNotFound, type GroupKind, type RestConfig } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";

import { createOrUpdate } from "../manifests/create-or-update.ts";
import { readManifests } from "../manifests/read-manifests.ts";
import { waitUntil } from "../wait-until.ts";
import type { WebhookServing } from "../webhooks/webhook-install-options.ts";

/** Which definitions are installed. */
export interface CrdInstallOptions {
  /**
   * Files and folders of manifests. Definitions in a folder `bases` convert as the patches in the folder `patches` beside it say, where it is there:
   * so kustomize would make them.
   */
  readonly paths?: readonly string[];
  /** More definitions. */
  readonly crds?: readonly unknown[];
  /** Whether a missing path is an error; it is, unless switched off. */
  readonly errorIfPathMissing?: boolean;
  /** How long a definition may take until it is served; 10 seconds by default. */
  readonly timeoutMs?: number;
  /** Where conversion webhooks of the definitions are served; without it conversion is dropped. */
  readonly webhookServing?: WebhookServing;
  /** Kinds whose definitions get a conversion webhook there, whether they have one or not. */
  readonly conversions?: readonly GroupKind[];
}

const COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Installs CustomResourceDefinitions, or updates those that exist, and waits until the server serves every version of them.
 *
 * Guarantees: of two definitions with one name the later one counts.
 * Fails: ManifestPathMissingError, StatusError with the server's reason, EnvironmentTimeoutError.
 */
export async function installCrds(
  config: RestConfig,
  options: CrdInstallOptions,
): Promise<readonly CustomResourceDefinition[]> {
  const definitions = (await readCrds(options)).map((definition) =>
    withReachableConversion(isConverted(definition, options) ? withConversion(definition) : definition, options),
  );
  const client = createRestClient(config);
  try {
    await Promise.all(definitions.map(async (definition) => createOrUpdate(client, COLLECTION, definition)));
    await Promise.all(
      definitions.map(async (definition) =>
        waitUntilServed(client, definition, options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      ),
    );
    return definitions;
  } finally {
    await client.close();
  }
}

/** Deletes definitions, and their objects with them, and waits until they are gone. */
export async function uninstallCrds(
  config: RestConfig,
  definitions: readonly CustomResourceDefinition[],
  timeoutMs: number = DEFAULT_TIMEOUT_MS,
): Promise<void> {
  const client = createRestClient(config);
  try {
    await Promise.all(definitions.map(async (definition) => uninstall(client, definition, timeoutMs)));
  } finally {
    await client.close();
  }
}

async function readCrds({
  paths = [],
  crds = [],
  errorIfPathMissing = true,
}: CrdInstallOptions): Promise<readonly CustomResourceDefinition[]> {
  const read = await readManifests({ paths, what: "definitions", errorIfPathMissing });
  const all = [...read, ...(crds as readonly KubernetesObject[])].filter(isCrd);
  const patches = await readPatches(paths);
  return [...new Map(all.map((definition) => [definition.metadata.name, patched(definition, patches)])).values()];
}

async function readPatches(paths: readonly string[]): Promise<readonly CustomResourceDefinition[]> {
  const bases = paths.filter((item) => path.basename(item) === "bases");
  const folders = bases.map((item) => path.join(path.dirname(item), "patches"));
  return (await readManifests({ paths: folders, what: "patches", errorIfPathMissing: false })).filter(isCrd);
}

function patched(
  definition: CustomResourceDefinition,
  patches: readonly CustomResourceDefinition[],
): CustomResourceDefinition {
  const patch = patches.find(({ metadata, spec }) => metadata.name === definition.metadata.name && spec?.conversion);
  const conversion = patch?.spec.conversion;
  return conversion === undefined ? definition : { ...definition, spec: { ...definition.spec, conversion } };
}

function isCrd(object: KubernetesObject): object is CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition" && object.apiVersion === "apiextensions.k8s.io/v1";
}

function isConverted({ spec }: CustomResourceDefinition, { conversions = [] }: CrdInstallOptions): boolean {
  return conversions.some(({ group, kind }) => group === spec.group && kind === spec.names.kind);
}

function withConversion(definition: CustomResourceDefinition): CustomResourceDefinition {
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: "Webhook" } } };
}

// In the manifest the webhook is a Service of the cluster, which tests do not have.
function withReachableConversion(
  definition: CustomResourceDefinition,
  { webhookServing: serving }: CrdInstallOptions,
): CustomResourceDefinition {
  const { conversion } = definition.spec;
  if (conversion?.strategy !== "Webhook") return definition;
  if (serving === undefined) return { ...definition, spec: { ...definition.spec, conversion: { strategy: "None" } } };
  const { service, url } = conversion.webhook?.clientConfig ?? {};
  if (url !== undefined) return definition;
  const clientConfig = {
    url: `${serving.url}${service?.path ?? "/convert"}`,
    caBundle: Buffer.from(serving.ca).toString("base64"),
  };
  const webhook = { conversionReviewVersions: ["v1"], ...conversion.webhook, clientConfig };
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: "Webhook", webhook } } };
}

async function waitUntilServed(
  client: RestClient,
  { metadata, spec }: CustomResourceDefinition,
  timeoutMs: number,
): Promise<void> {
  for (const { name: version } of spec.versions.filter(({ served }) => served)) {
    const isServed = async (): Promise<boolean> =>
      (await servedResources(client, spec.group, version)).includes(spec.names.plural);
    await waitUntil(isServed, {
      what: `${metadata.name ?? spec.names.plural} to be served as ${version}`,
      timeoutMs,
      intervalMs: 10,
    });
  }
}

async function servedResources(client: RestClient, group: string, version: string): Promise<readonly string[]> {
  try {
    const list = await client.request<{ readonly resources?: readonly { readonly name: string }[] }>({
      method: "GET",
      path: `/apis/${group}/${version}`,
    });
    return (list.resources ?? []).map(({ name }) => name);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function uninstall(client: RestClient, { metadata }: CustomResourceDefinition, timeoutMs: number): Promise<void> {
  const path = `${COLLECTION}/${metadata.name ?? ""}`;
  const isGone = async (method: "GET" | "DELETE"): Promise<boolean> => {
    try {
      await client.request({ method, path });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  };
  if (await isGone("DELETE")) return;
  await waitUntil(async () => isGone("GET"), {
    what: `${metadata.name ?? ""} to be deleted`,
    timeoutMs,
    intervalMs: 20,
  });
}

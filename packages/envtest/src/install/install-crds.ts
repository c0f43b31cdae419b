import path from "node:path";

import {
  type GroupKind,
  type GroupVersionKind,
  isNotFound,
  resourceNameOf,
  type RestConfig,
  checkNumbers,
} from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";

import { waitUntil } from "../eventually/wait-until.ts";
import { createOrUpdate, isCrd, readManifests } from "./manifests.ts";
import { caBundleOf, type WebhookServing, withLiveBundle } from "./webhook-serving.ts";

/**
 * Options of {@link installCrds}.
 *
 * controller-runtime: pkg/envtest.CRDInstallOptions
 */
export interface CrdInstallOptions {
  /**
   * Files and folders of manifests. The patches in a folder `patches` beside a folder `bases` set the conversion of its definitions, like in kustomize.
   * Default: none.
   */
  readonly paths?: readonly string[];
  /** Additional definitions. Default: none. */
  readonly crds?: readonly unknown[];
  /** Fails for a missing path. Default: true. */
  readonly errorIfPathMissing?: boolean;
  /** Milliseconds until a definition must be served. Default: 10000. */
  readonly timeoutMs?: number;
  /** The server of conversion webhooks. Default: conversion is removed. */
  readonly webhookServing?: WebhookServing;
  /** Kinds whose definitions get a conversion webhook of that server. Default: none. */
  readonly conversions?: readonly GroupKind[];
}

const COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Installs or updates CustomResourceDefinitions, and waits until the server serves all of their versions.
 *
 * Guarantees: of two definitions with one name the later one counts.
 * Fails: ManifestPathMissingError, StatusError with the server's reason, EnvironmentTimeoutError.
 *
 * controller-runtime: pkg/envtest.InstallCRDs
 */
export async function installCrds(
  config: RestConfig,
  options: CrdInstallOptions,
): Promise<readonly CustomResourceDefinition[]> {
  checkNumbers("the installation of CRDs", options, { timeoutMs: "duration" });
  const definitions = (await readCrds(options)).map((definition) =>
    withReachableConversion(isConverted(definition, options) ? withConversion(definition) : definition, options),
  );
  const client = createRestClient(config);
  try {
    await Promise.all(
      definitions.map(async (definition) => createOrUpdate(client, COLLECTION, definition, withLiveConversionBundle)),
    );
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

/**
 * Deletes definitions with their objects, and waits until they are removed.
 *
 * controller-runtime: pkg/envtest.UninstallCRDs
 */
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

function isConverted({ spec }: CustomResourceDefinition, { conversions = [] }: CrdInstallOptions): boolean {
  return conversions.some(({ group, kind }) => group === spec.group && kind === spec.names.kind);
}

function withConversion(definition: CustomResourceDefinition): CustomResourceDefinition {
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: "Webhook" } } };
}

// The manifest references a Service, which tests do not have.
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
    ...caBundleOf(serving),
  };
  const webhook = { conversionReviewVersions: ["v1"], ...conversion.webhook, clientConfig };
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: "Webhook", webhook } } };
}

function withLiveConversionBundle(
  wanted: CustomResourceDefinition,
  live: CustomResourceDefinition,
): CustomResourceDefinition {
  const { conversion } = wanted.spec;
  if (conversion?.webhook?.clientConfig === undefined) return wanted;
  const clientConfig = withLiveBundle(conversion.webhook.clientConfig, live.spec.conversion?.webhook?.clientConfig);
  const webhook = { ...conversion.webhook, clientConfig };
  return { ...wanted, spec: { ...wanted.spec, conversion: { ...conversion, webhook } } };
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

/** Options of {@link standInDefinition}. */
export interface StandInOptions {
  /** The plural name. Default: derived from the kind. */
  readonly plural?: string;
  /** Whether the objects are namespaced. Default: true. */
  readonly namespaced?: boolean;
}

/**
 * Returns a definition that accepts any object of a kind, for tests of controllers whose kind is defined elsewhere.
 *
 * It replaces a definition that is not available: no validation, no defaults, and a status subresource. Install it only into servers that a
 * test starts, since it would replace the real definition of a cluster.
 *
 * @example
 * const environment = new Environment({ backend: "embedded", crds: [standInDefinition(Certificate)] });
 */
export function standInDefinition(
  { group, version, kind }: GroupVersionKind,
  { plural = resourceNameOf(kind), namespaced = true }: StandInOptions = {},
): CustomResourceDefinition {
  return CustomResourceDefinition.create({
    metadata: { name: `${plural}.${group}`, annotations: approvalFor(group) },
    spec: {
      group,
      names: { kind, plural, listKind: `${kind}List`, singular: kind.toLowerCase() },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          subresources: { status: {} },
        },
      ],
    },
  });
}

// Servers require an approval annotation for definitions in Kubernetes groups.
function approvalFor(group: string): Readonly<Record<string, string>> {
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/u.test(group);
  return isProtected ? { "api-approved.kubernetes.io": "unapproved, stands in for the real one in tests" } : {};
}

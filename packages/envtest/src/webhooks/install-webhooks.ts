import { isNotFound, type RestConfig } from "@kubescaffold/k8s";
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "@kubescaffold/k8s/admissionregistration/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createRestClient } from "@kubescaffold/runtime";

import { createOrUpdate, readManifests } from "../install/manifests.ts";
import {
  caBundleOf,
  type WebhookInstallOptions,
  type WebhookServing,
  withLiveBundle,
} from "../install/webhook-serving.ts";

/** A mutating or validating webhook configuration. */
export type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

const COLLECTIONS: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
  ValidatingWebhookConfiguration: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
};

/**
 * Installs or updates webhook configurations, with their services replaced by the URL of a local server.
 *
 * Fails: ManifestPathMissingError, StatusError with the server's reason.
 */
export async function installWebhooks(
  config: RestConfig,
  options: WebhookInstallOptions,
  serving: WebhookServing,
): Promise<readonly WebhookConfiguration[]> {
  return installConfigurations(config, await readConfigurations(options), serving);
}

/** Installs configurations like {@link installWebhooks}. */
export async function installConfigurations(
  config: RestConfig,
  given: readonly WebhookConfiguration[],
  serving: WebhookServing,
): Promise<readonly WebhookConfiguration[]> {
  const configurations = given.map((configuration) => withLocalServer(configuration, serving));
  const client = createRestClient(config);
  try {
    await Promise.all(
      configurations.map(async (configuration) =>
        createOrUpdate(client, collectionOf(configuration), configuration, withLiveBundles),
      ),
    );
    return configurations;
  } finally {
    await client.close();
  }
}

/** Deletes webhook configurations; missing ones are ignored. */
export async function uninstallWebhooks(
  config: RestConfig,
  configurations: readonly WebhookConfiguration[],
): Promise<void> {
  const client = createRestClient(config);
  try {
    await Promise.all(
      configurations.map(async (configuration) => {
        const path = `${collectionOf(configuration)}/${configuration.metadata.name ?? ""}`;
        await client.request({ method: "DELETE", path }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      }),
    );
  } finally {
    await client.close();
  }
}

/** Returns the paths of a configuration's webhooks. */
export function askedPaths({ webhooks = [] }: WebhookConfiguration): readonly string[] {
  return webhooks.flatMap(({ clientConfig }) => servicePath(clientConfig) ?? []);
}

/** Returns a configuration with only those webhooks that have one of the paths. */
export function withWebhooksAt(configuration: WebhookConfiguration, paths: readonly string[]): WebhookConfiguration {
  const webhooks = (configuration.webhooks ?? []).filter(({ clientConfig }) =>
    paths.includes(servicePath(clientConfig) ?? ""),
  );
  return { ...configuration, webhooks };
}

/** Reads the webhook configurations of manifests; of two with one name the later one counts. */
export async function readConfigurations({
  paths = [],
  configurations = [],
  errorIfPathMissing = true,
}: WebhookInstallOptions): Promise<readonly WebhookConfiguration[]> {
  const read = await readManifests({ paths, what: "webhook configurations", errorIfPathMissing });
  const all = [...read, ...(configurations as readonly KubernetesObject[])].filter(isConfiguration);
  return [
    ...new Map(
      all.map((configuration) => [`${configuration.kind}/${configuration.metadata.name ?? ""}`, configuration]),
    ).values(),
  ];
}

function isConfiguration(object: KubernetesObject): object is WebhookConfiguration {
  return object.kind in COLLECTIONS && object.apiVersion === "admissionregistration.k8s.io/v1";
}

function collectionOf({ kind }: WebhookConfiguration): string {
  return COLLECTIONS[kind] ?? "";
}

// Both kinds have the same clientConfig; nothing else changes.
function withLocalServer(configuration: WebhookConfiguration, serving: WebhookServing): WebhookConfiguration {
  const webhooks = (configuration.webhooks ?? []).map((webhook) => ({
    ...webhook,
    clientConfig: localClientConfig(webhook.clientConfig, serving),
  }));
  return { ...configuration, webhooks };
}

function withLiveBundles(wanted: WebhookConfiguration, live: WebhookConfiguration): WebhookConfiguration {
  const present = new Map((live.webhooks ?? []).map(({ name, clientConfig }) => [name, clientConfig]));
  const webhooks = (wanted.webhooks ?? []).map((webhook) => ({
    ...webhook,
    clientConfig: withLiveBundle(webhook.clientConfig, present.get(webhook.name)),
  }));
  return { ...wanted, webhooks };
}

function localClientConfig(clientConfig: WebhookClientConfig, serving: WebhookServing): WebhookClientConfig {
  const path = servicePath(clientConfig);
  if (path === undefined) return clientConfig;
  return { url: `${serving.url}${path}`, ...caBundleOf(serving) };
}

// Webhooks with a URL are not served by the local server.
function servicePath({ service }: WebhookClientConfig): string | undefined {
  if (service === undefined) return undefined;
  const { path = "/" } = service;
  return path.startsWith("/") ? path : `/${path}`;
}

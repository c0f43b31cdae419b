import path from "node:path";

import type { AuditEvent } from "@kubescaffold/apiserver";
import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { createClient, type LiveClient } from "@kubescaffold/runtime";

import { prepareWebhookServing, type WebhookServing } from "../install/webhook-serving.ts";
import { announcedVersion } from "../kubernetes-version/requested-version.ts";
import { ensureClusterDns } from "../operator/cluster-dns.ts";
import { ensureDefaultStorageClass } from "../operator/default-storage-class.ts";
import type { RehearseOptions } from "./rehearse-options.ts";
import { WebhookService } from "./webhook-service.ts";

/** The cluster of a rehearsal. */
export interface RehearsalCluster {
  readonly embedded: EmbeddedCluster;
  /** An administrator's client. */
  readonly client: LiveClient;
  /** The config of the socket that managers connect to. */
  readonly reachable: RestConfig;
  /** The address and the certificate of the webhooks of both versions. */
  readonly serving: WebhookServing;
  readonly webhookService: WebhookService;
  /** Stops the cluster; its files stay. */
  close(): Promise<void>;
}

/** Starts a cluster that stores its objects in a folder. Nothing is left running when it fails. */
export async function startRehearsalCluster(
  options: RehearseOptions,
  { folder, onRequest }: { readonly folder: string; readonly onRequest: (event: AuditEvent) => void },
): Promise<RehearsalCluster> {
  const { minor } = announcedVersion({
    kubernetesVersion: options.kubernetesVersion,
    directory: path.resolve(options.present.project),
  });
  const serving = await prepareWebhookServing({}, path.join(folder, "certificates"));
  const embedded = createEmbeddedCluster({
    seed: options.seed ?? 1,
    workloadSimulation: true,
    kubernetesVersion: minor,
    persist: path.join(folder, "state"),
    audit: {
      policy: { rules: [{ level: "Metadata", verbs: ["create", "update", "patch"] }], omitStages: ["RequestReceived"] },
      onEvent: onRequest,
    },
  });
  const webhookService = await WebhookService.listen(serving.port);
  const close = async (): Promise<void> => {
    await webhookService.close();
    await embedded.close();
  };
  try {
    const { config: reachable } = await embedded.listen({ tls: true });
    const client = createClient(embedded.config);
    await Promise.all([ensureDefaultStorageClass(client), ensureClusterDns(client)]);
    await options.prepare?.(embedded);
    return { embedded, client, reachable, serving, webhookService, close };
  } catch (error) {
    await close();
    throw error;
  }
}

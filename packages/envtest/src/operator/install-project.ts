import { existsSync } from "node:fs";
import path from "node:path";

import type { EmbeddedCluster } from "@kubescaffold/cluster";
import type { LiveClient } from "@kubescaffold/runtime";
import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

import { installCrds } from "../install/install-crds.ts";
import type { WebhookServing } from "../install/webhook-serving.ts";
import { installWebhooks } from "../webhooks/install-webhooks.ts";
import { installOperator } from "./install-operator.ts";

/** The cluster and the project of an installation. */
export interface ProjectInstallation {
  readonly cluster: EmbeddedCluster;
  readonly client: LiveClient;
  readonly projectDirectory: string;
  /** The server of webhooks; undefined for a project without them. */
  readonly webhooks: WebhookServing | undefined;
}

/** Returns the parts of the installation of a project's manifests, in order: definitions, roles, and webhook configurations. */
export function installProject(
  { cluster, client, projectDirectory, webhooks }: ProjectInstallation,
  operator: OperatorManifests,
): readonly (() => Promise<unknown>)[] {
  const { config } = cluster;
  const definitions = async (): Promise<unknown> =>
    await installCrds(config, {
      paths: [path.join(projectDirectory, "config", "crd", "bases")],
      errorIfPathMissing: false,
      ...(webhooks === undefined ? {} : { webhookServing: webhooks }),
    });
  const roles = async (): Promise<void> => await installOperator(client, operator);
  if (webhooks === undefined) return [definitions, roles];
  const paths = [webhookFolder(projectDirectory)];
  return [
    definitions,
    roles,
    async () => await installWebhooks(config, { paths, errorIfPathMissing: false }, webhooks),
  ];
}

/** Reports whether a project has webhooks. */
export function hasWebhooks(projectDirectory: string): boolean {
  return existsSync(webhookFolder(projectDirectory));
}

function webhookFolder(projectDirectory: string): string {
  return path.join(projectDirectory, "config", "webhook");
}

/**
 * Returns the variables of a manager that makes its certificates itself; undefined for others. They are those of a cluster, but for the namespace, which a Pod reads
 * from a file, and the address, which a Service replaces.
 */
export function certificateVariables(
  { namespace, certificates }: OperatorManifests,
  { host }: Pick<WebhookServing, "host">,
): Readonly<Record<string, string>> | undefined {
  if (certificates === undefined) return undefined;
  return { ...certificates.variables, CERTIFICATES_NAMESPACE: namespace, CERTIFICATES_IP_ADDRESSES: host };
}

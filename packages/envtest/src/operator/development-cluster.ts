import { mkdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";
import { createClient, type Client } from "@kubescaffold/runtime";

import { Environment } from "../environment.ts";
import { installCrds } from "../crds/install-crds.ts";
import { kubeconfigOf } from "../kubeconfig/kubeconfig.ts";
import { installWebhooks } from "../webhooks/install-webhooks.ts";
import type { WebhookServing } from "../webhooks/webhook-install-options.ts";
import { installOperator } from "./install-operator.ts";
import { readOperatorManifests } from "./operator-manifests.ts";

/** Which project is developed, and how. */
export interface DevelopmentClusterOptions {
  readonly projectDirectory: string;
  /** Where kubeconfigs and certificates are written; a folder that git ignores. */
  readonly stateDirectory: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Lets Deployments have Pods that become ready; they do, unless this is false. */
  readonly workloads?: boolean;
}

/** An embedded cluster with an operator's definitions, roles and webhook configurations, for its manager to run against. */
export interface DevelopmentCluster {
  readonly server: string;
  readonly environment: Environment;
  /** How an administrator reaches it. */
  readonly config: RestConfig;
  readonly client: Client;
  /** The kubeconfig of an administrator. */
  readonly kubeconfigPath: string;
  /** The kubeconfig of the manager's service account. */
  readonly managerKubeconfigPath: string;
  /** The user that the manager is to the server. */
  readonly managerUser: string;
  /** Where the manager has to serve webhooks; absent when the project has none. */
  readonly webhooks: WebhookServing | undefined;
  /** Installs the project's manifests again, as they are now. */
  update(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster for a project whose manifests are written, over TLS and with RBAC enforced. */
export async function startDevelopmentCluster(options: DevelopmentClusterOptions): Promise<DevelopmentCluster> {
  const environment = new Environment({
    backend: "embedded",
    workloads: options.workloads !== false,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  await environment.start();
  try {
    return await prepare(environment, options);
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

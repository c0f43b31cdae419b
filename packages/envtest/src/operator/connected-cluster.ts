import path from "node:path";

import { type RestConfig, ScaffoldError } from "@kubescaffold/k8s";
import { makeFolder } from "@kubescaffold/platform/files";
import { createRestClient, getConfig, readKubeconfigFile, writeKubeconfigFile } from "@kubescaffold/runtime";
import { userOf } from "@kubescaffold/runtime";
import { readOperatorManifests } from "@kubescaffold/runtime/operator-project";

import { installCrds } from "../install/install-crds.ts";
import { prepareWebhookServing, type WebhookServing } from "../install/webhook-serving.ts";
import {
  installConfigurations,
  readConfigurations,
  uninstallWebhooks,
  type WebhookConfiguration,
} from "../webhooks/install-webhooks.ts";

/** Options of {@link connectDevelopmentCluster}. */
export interface ConnectedClusterOptions {
  /** The folder of the project. */
  readonly projectDirectory: string;
  /** The folder for kubeconfigs and certificates; git must ignore it. */
  readonly stateDirectory: string;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  /** The context of the kubeconfig. Default: the current context. */
  readonly context?: string;
  /** The base URL at which the API server reaches the webhooks of the manager. Default: webhooks are not installed. */
  readonly webhookUrl?: string;
  /** The namespace of the operator. Default: that of `config/default`. */
  readonly namespace?: string;
}

/** A cluster of a kubeconfig, for a manager that runs on this machine. */
export interface ConnectedCluster {
  /** The URL of the API server. */
  readonly server: string;
  /** The context of the kubeconfig. */
  readonly context: string;
  /** The namespace of the operator. */
  readonly namespace: string;
  /** The path of a kubeconfig with the context as its current one, which only the owner can read. */
  readonly kubeconfigPath: string;
  /** The user of the kubeconfig, as the server knows it. */
  readonly user: string;
  /** Whether the project has webhooks. */
  readonly hasWebhooks: boolean;
  /** The address at which the manager must serve webhooks; undefined when they are not installed. */
  readonly webhooks: WebhookServing | undefined;
  /** Installs or updates the project's definitions, and its webhook configurations if there is a URL. */
  update(): Promise<void>;
  /** Deletes the webhook configurations that were installed. Definitions stay, since their objects would be deleted with them. */
  cleanUp(): Promise<void>;
}

/**
 * Thrown when a URL for webhooks is not an HTTPS address.
 *
 * Fix: Pass an address that starts with `https://`, without query; API servers call webhooks only over TLS.
 */
export class InvalidWebhookUrlError extends ScaffoldError {
  readonly code = "ENVTEST_WEBHOOK_URL";
  constructor(url: string) {
    super(`cannot install webhooks at ${JSON.stringify(url)}: it is not an HTTPS address`, {
      hint: "pass an address such as https://guestbook.tunnel.example.com",
    });
  }
}

/**
 * Connects to the cluster of a kubeconfig, and installs nothing yet.
 *
 * Fails: NotAnOperatorError for a folder without a project, {@link InvalidWebhookUrlError}, the errors of `getConfig` for the kubeconfig, and
 * StatusError when the server rejects the user.
 */
export async function connectDevelopmentCluster(options: ConnectedClusterOptions): Promise<ConnectedCluster> {
  const { projectDirectory, stateDirectory, kubeconfig: file, webhookUrl } = options;
  const { namespace, namePrefix } = await readOperatorManifests(projectDirectory, options.namespace);
  const kubeconfig = await readKubeconfigFile(file);
  const context = options.context ?? kubeconfig.currentContext;
  const config = await getConfig({ kubeconfig: file, context });
  const configurations = await readConfigurations({
    paths: [webhookFolder(projectDirectory)],
    errorIfPathMissing: false,
  });
  makeFolder(stateDirectory);
  const kubeconfigPath = path.join(stateDirectory, "kubeconfig");
  const user = await userOfConfig(config);
  await writeKubeconfigFile(kubeconfigPath, { ...kubeconfig, currentContext: context });
  const webhooks =
    webhookUrl === undefined || configurations.length === 0 ? undefined : await servingAt(webhookUrl, stateDirectory);
  let installed: readonly WebhookConfiguration[] = [];
  return {
    server: config.server,
    context,
    namespace,
    kubeconfigPath,
    user,
    hasWebhooks: configurations.length > 0,
    webhooks,
    update: async () => {
      await installCrds(config, {
        paths: [path.join(projectDirectory, "config", "crd", "bases")],
        errorIfPathMissing: false,
        ...(webhooks === undefined ? {} : { webhookServing: webhooks }),
      });
      if (webhooks === undefined) return;
      const read = await readConfigurations({ paths: [webhookFolder(projectDirectory)], errorIfPathMissing: false });
      installed = await installConfigurations(
        config,
        read.map((each) => prefixed(each, namePrefix)),
        webhooks,
      );
    },
    cleanUp: async () => await uninstallWebhooks(config, installed),
  };
}

function webhookFolder(projectDirectory: string): string {
  return path.join(projectDirectory, "config", "webhook");
}

// The name that kustomize gives it, so that a deployment of the operator replaces it.
function prefixed(configuration: WebhookConfiguration, prefix: string): WebhookConfiguration {
  const name = `${prefix}${configuration.metadata.name ?? ""}`;
  return { ...configuration, metadata: { ...configuration.metadata, name } };
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const LOCAL_PORT = 9443;

// The certificate of a tunnel is one that the API server trusts; at a loopback address, the manager is called directly.
async function servingAt(text: string, stateDirectory: string): Promise<WebhookServing> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new InvalidWebhookUrlError(text);
  const isLocal = LOOPBACK.has(url.hostname);
  const localServingPort = isLocal ? Number(url.port || "443") : LOCAL_PORT;
  const serving = await prepareWebhookServing({ localServingPort }, path.join(stateDirectory, "webhook-certs"));
  return { ...serving, url: url.href.replace(/\/$/u, ""), ca: isLocal ? serving.ca : "" };
}

async function userOfConfig(config: RestConfig): Promise<string> {
  const client = createRestClient(config);
  try {
    return await userOf(client);
  } finally {
    await client.close();
  }
}

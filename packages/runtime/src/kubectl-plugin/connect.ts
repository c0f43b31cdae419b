import type { RestConfig } from "@kubescaffold/k8s";
import { parseGoDuration } from "@kubescaffold/platform";

import { createClient } from "../client/create-client.ts";
import { getConfig, inClusterNamespace } from "../config/get-config.ts";
import { readKubeconfigFile } from "../config/kubeconfig-file.ts";
import { kubeconfigPaths, readKubeconfig } from "../config/kubeconfig-paths.ts";
import { isEmptyKubeconfig, type Kubeconfig } from "../config/kubeconfig.ts";
import { namespaceOf, restConfigOf } from "../config/rest-config-of.ts";
import { silentLogger } from "../log/logger.ts";
import { createRestClient } from "../rest/rest-client.ts";
import { PluginUsageError } from "./errors.ts";
import { withOverrides } from "./kubeconfig-overrides.ts";
import type { SelectedCluster } from "./plugin-command.ts";
import type { KubectlFlags } from "./plugin-flag.ts";

/** What a connection depends on beside the flags. */
export interface Surroundings {
  /** The environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The cluster in place of the kubeconfig's. */
  readonly config?: RestConfig | undefined;
  /** Prints a warning of the server. */
  readonly warn: (text: string) => void;
}

/** A cluster whose connections can be closed. */
export interface OpenCluster {
  readonly cluster: SelectedCluster;
  readonly close: () => Promise<void>;
}

/** Selects the cluster, user, and namespace as kubectl does, and creates a client. Fails: {@link PluginUsageError}, or as `getConfig`. */
export async function openCluster(flags: KubectlFlags, surroundings: Surroundings): Promise<OpenCluster> {
  const timeoutMs = readTimeout(flags["request-timeout"]);
  const { config: found, namespace: own } = await findCluster(flags, surroundings);
  const config = timeoutMs === undefined ? found : { ...found, timeoutMs };
  const namespace = (flags.namespace ?? "") === "" ? own : (flags.namespace ?? own);
  const isEverywhere = flags["all-namespaces"] === true;
  const restClient = createRestClient(config, {
    log: silentLogger,
    warningHandler: ({ text }) => surroundings.warn(`Warning: ${text}\n`),
  });
  const selection = {
    ...(isEverywhere ? {} : { namespace }),
    ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
  };
  return {
    cluster: { client: createClient(config, { restClient }), config, namespace, selection },
    close: () => restClient.close(),
  };
}

interface Found {
  readonly config: RestConfig;
  readonly namespace: string;
}

async function findCluster(flags: KubectlFlags, { environment, config }: Surroundings): Promise<Found> {
  if (config !== undefined) return { config, namespace: "default" };
  const kubeconfig = await loadKubeconfig(flags, environment);
  if (isEmptyKubeconfig(kubeconfig) && flags.server === undefined) {
    const inCluster = await getConfig({ environment, ...homeIn(environment) });
    return { config: inCluster, namespace: (await inClusterNamespace({ environment })) ?? "default" };
  }
  const selected = withOverrides(kubeconfig, flags);
  return { config: await restConfigOf(selected), namespace: namespaceOf(selected) };
}

/** Reads the kubeconfig of the flags and of the environment; an empty one if there is none. */
export async function loadKubeconfig(
  { kubeconfig = "" }: KubectlFlags,
  environment: Surroundings["environment"],
): Promise<Kubeconfig> {
  const paths = kubeconfigPaths({ environment, ...homeIn(environment) });
  return kubeconfig === "" ? await readKubeconfig(paths) : await readKubeconfigFile(kubeconfig);
}

function homeIn(environment: Surroundings["environment"]): { readonly homeFolder?: string } {
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  return home === undefined ? {} : { homeFolder: home };
}

// As in kubectl, a number without a unit is in seconds, and 0 is no limit.
function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeoutMs = /^\d+$/u.test(text) ? Number(text) * 1000 : parseGoDuration(text);
  if (timeoutMs === undefined) {
    throw new PluginUsageError(
      `invalid value ${JSON.stringify(text)} for --request-timeout: use a number of seconds, or a duration such as 1s, 2m, or 3h`,
    );
  }
  return timeoutMs === 0 ? undefined : timeoutMs;
}

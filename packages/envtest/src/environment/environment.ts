import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import type { EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { writePrivateFile } from "@kubescaffold/platform/files";

import { kubeconfigOf } from "../control-plane/kubeconfig.ts";
import { waitForNamespace } from "../eventually/wait-until.ts";
import { BackendUnsupportedError, EnvironmentStateError } from "../failures/errors.ts";
import { installCrds, uninstallCrds, type CrdInstallOptions } from "../install/install-crds.ts";
import {
  addServiceAccount,
  grantRoles,
  revokeRoles,
  type ServiceAccountName,
  type ServiceAccountOptions,
} from "../install/service-accounts.ts";
import { prepareWebhookServing, type WebhookServing } from "../install/webhook-serving.ts";
import { installWebhooks, uninstallWebhooks } from "../webhooks/install-webhooks.ts";
import { type Backend, startBinariesBackend, startEmbeddedBackend, useExistingBackend } from "./backends.ts";
import { backendOf, type BackendName, checkClock, type EnvironmentOptions } from "./environment-options.ts";
import type { EnvironmentUser } from "./environment-users.ts";

/**
 * An API server for tests: in this process, from local binaries, or an existing cluster, with the project's
 * definitions and webhooks installed. RBAC is always enforced; the config of {@link Environment.start} has all permissions.
 *
 * controller-runtime: pkg/envtest.Environment
 *
 * @example
 * const environment = new Environment({ crdDirectoryPaths: ["config/crd/bases"] });
 * const config = await environment.start();
 * await environment.stop();
 */
export class Environment {
  readonly #options: EnvironmentOptions;
  #running: RunningEnvironment | undefined;

  constructor(options: EnvironmentOptions = {}) {
    this.#options = options;
  }

  /**
   * Starts the server, installs definitions and webhook configurations, and returns the administrator's config.
   *
   * Guarantees: when it resolves, all versions of all definitions are served; when it fails, nothing is left running.
   * Fails: AssetMissingError, ControlPlaneStartError, ManifestPathMissingError, EnvironmentTimeoutError, StatusError.
   */
  async start(): Promise<RestConfig> {
    if (this.#running !== undefined)
      throw new EnvironmentStateError("cannot start the environment: it is already running");
    const backend = await startBackend(this.#options);
    const running = new RunningEnvironment(backend, this.#options);
    this.#running = running;
    try {
      await running.install();
      return backend.config;
    } catch (error) {
      await this.stop().catch(() => undefined);
      throw error;
    }
  }

  /** Stops the server and removes the environment's objects; on an existing cluster the webhook configurations, and the definitions with `cleanUpCrds`. A second stop does nothing. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  /** The administrator's config for this process. */
  get config(): RestConfig {
    return this.#started().backend.config;
  }

  /** The address at which the webhook server must listen, if webhooks are configured. */
  get webhookServing(): WebhookServing {
    const { serving } = this.#started();
    if (serving === undefined) {
      throw new EnvironmentStateError("cannot return the webhook address: the environment has no webhooks", {
        hint: "set the option webhooks",
      });
    }
    return serving;
  }

  /** Whether the server runs in this process. */
  get isEmbedded(): boolean {
    return this.#started().backend.cluster !== undefined;
  }

  /** The embedded server with its faults, audit log, and snapshots. */
  get cluster(): EmbeddedCluster {
    const { cluster } = this.#started().backend;
    if (cluster === undefined)
      throw new BackendUnsupportedError("cannot access the server: only the embedded one runs in this process");
    return cluster;
  }

  /** Returns the administrator's config for other processes; the embedded server listens with TLS from then on. */
  async listen(): Promise<RestConfig> {
    return this.#started().backend.listen();
  }

  /** Creates credentials for a user with its groups and returns a config with them. */
  async addUser(user: EnvironmentUser): Promise<RestConfig> {
    return this.#started().backend.addUser(user);
  }

  /**
   * Creates a service account unless it exists and returns a config with its token; `roles` grants permissions until the
   * environment stops.
   *
   * @example
   * const config = await environment.addServiceAccount(
   *   { namespace: "default", name: "manager" },
   *   { roles: ["config/rbac/role.yaml"] },
   * );
   */
  async addServiceAccount(account: ServiceAccountName, { roles }: ServiceAccountOptions = {}): Promise<RestConfig> {
    const running = this.#started();
    if (roles !== undefined) await running.grant(account, roles);
    return addServiceAccount(running.backend.config, account);
  }

  /** Writes a kubeconfig for the administrator, or for another config of this environment, readable only by its owner. */
  async writeKubeconfig(file: string, config?: RestConfig): Promise<void> {
    const reachable = await this.listen();
    await writePrivateFile(file, kubeconfigOf(config === undefined ? reachable : asReachable(config, reachable)));
  }

  #started(): RunningEnvironment {
    if (this.#running === undefined) throw new EnvironmentStateError("cannot use the environment: it is not running");
    return this.#running;
  }
}

const BACKENDS: Readonly<Record<BackendName, (options: EnvironmentOptions) => Promise<Backend>>> = {
  embedded: startEmbeddedBackend,
  binaries: startBinariesBackend,
  existing: useExistingBackend,
};

async function startBackend(options: EnvironmentOptions): Promise<Backend> {
  checkClock(options);
  return BACKENDS[backendOf(options)](options);
}

// A config of the in-process transport keeps its credentials and gets the reachable address.
function asReachable(config: RestConfig, { server, tls }: RestConfig): RestConfig {
  if (config.transport === undefined) return config;
  const { transport: _transport, connect: _connect, ...others } = config;
  return {
    ...others,
    server,
    ...(tls === undefined ? {} : { tls: { ...config.tls, ...(tls.ca === undefined ? {} : { ca: tls.ca }) } }),
  };
}

const NAMESPACE_TIMEOUT_MS = 20_000;

/** The state of a running environment. */
class RunningEnvironment {
  readonly backend: Backend;
  serving: WebhookServing | undefined;
  readonly #options: EnvironmentOptions;
  readonly #undo: (() => Promise<void>)[] = [];

  constructor(backend: Backend, options: EnvironmentOptions) {
    this.backend = backend;
    this.#options = options;
    this.#undo.push(backend.stop);
  }

  async install(): Promise<void> {
    await waitForNamespace(this.backend.config, "default", NAMESPACE_TIMEOUT_MS);
    await this.#prepareWebhooks();
    await this.#installCrds();
    await this.#installWebhooks();
  }

  async grant(account: ServiceAccountName, roles: readonly string[]): Promise<void> {
    await grantRoles(this.backend.config, account, roles);
    if (backendOf(this.#options) === "existing") this.#undo.push(async () => revokeRoles(this.backend.config, account));
  }

  /** Undoes all steps in reverse order, and throws the first failure after that. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const undo of this.#undo.splice(0).reverse()) await undo().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async #prepareWebhooks(): Promise<void> {
    const { webhooks } = this.#options;
    if (webhooks === undefined) return;
    const directory = await mkdtemp(path.join(tmpdir(), "kubescaffold-webhooks-"));
    this.#undo.push(async () => rm(directory, { recursive: true, force: true }));
    this.serving = await prepareWebhookServing(webhooks, directory);
  }

  async #installCrds(): Promise<void> {
    const { crdDirectoryPaths = [], crds = [], errorIfCrdPathMissing = true, crdTimeoutMs, webhooks } = this.#options;
    const options: CrdInstallOptions = {
      paths: crdDirectoryPaths,
      crds,
      errorIfPathMissing: errorIfCrdPathMissing,
      ...(crdTimeoutMs === undefined ? {} : { timeoutMs: crdTimeoutMs }),
      ...(this.serving === undefined ? {} : { webhookServing: this.serving }),
      ...(webhooks?.conversions === undefined ? {} : { conversions: webhooks.conversions }),
    };
    const installed: readonly CustomResourceDefinition[] = await installCrds(this.backend.config, options);
    if (this.#options.cleanUpCrds === true)
      this.#undo.push(async () => uninstallCrds(this.backend.config, installed, crdTimeoutMs));
  }

  async #installWebhooks(): Promise<void> {
    const { webhooks } = this.#options;
    if (webhooks === undefined || this.serving === undefined) return;
    const installed = await installWebhooks(this.backend.config, webhooks, this.serving);
    if (backendOf(this.#options) === "existing")
      this.#undo.push(async () => uninstallWebhooks(this.backend.config, installed));
  }
}

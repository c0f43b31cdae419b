import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";

import type { EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { type Clock, patientClock, realClock } from "@kubescaffold/platform/clock";
import { createClient, silentLogger, type LiveClient, log, type ReconcileContext } from "@kubescaffold/runtime";

import type { EnvironmentOptions } from "../environment/environment-options.ts";
import { Environment } from "../environment/environment.ts";
import { EnvironmentOptionsError } from "../failures/errors.ts";
import { certificateVariables, testCertificates, waitForCertificates } from "./test-certificates.ts";
import {
  type ManagerSetup,
  startManager,
  startTestManager,
  type TestManager,
  type TestManagerOptions,
} from "./test-manager.ts";

/** The folder of a project's manifests, and what its environment sets otherwise. */
export interface TestEnvironmentOptions extends EnvironmentOptions {
  /** The folder `config` of the project. */
  readonly configDirectory: string;
}

/** An API server with the definitions of a project, and a client of it. */
export interface TestEnvironment {
  /** An administrator's config. */
  readonly config: RestConfig;
  /** An administrator's client. */
  readonly client: LiveClient;
  /** The clock of the server, of the managers of {@link TestEnvironment.startManager}, and of the deadlines of their requests. */
  readonly clock: Clock;
  /**
   * The embedded cluster: its simulated Pods and their faults, images, faults of the server, the audit log, and snapshots.
   *
   * Fails: BackendUnsupportedError if the server runs in another process.
   */
  readonly cluster: EmbeddedCluster;
  /**
   * Starts a manager with the permissions of `config/rbac/role.yaml`, which the +kubebuilder:rbac markers set.
   */
  readonly startManager: (setup: ManagerSetup, options?: TestManagerOptions) => Promise<TestManager>;
  /** Stops the environment. */
  readonly stop: () => Promise<void>;
}

/** An API server that calls the webhooks of a project, and a client of it. */
export type WebhookEnvironment = Omit<TestEnvironment, "startManager">;

const ACCOUNT = { namespace: "default", name: "controller-manager" };

/**
 * Returns the environment of a project: the definitions in `config/crd/bases`, and with `webhooks` the webhook configurations in
 * `config/webhook`. A project that has the folder `config/crd` must have definitions.
 */
export function projectEnvironment(
  configDirectory: string,
  options: { readonly webhooks?: boolean } = {},
): EnvironmentOptions {
  const crds = path.join(configDirectory, "crd");
  return {
    projectDirectory: path.dirname(configDirectory),
    crdDirectoryPaths: [path.join(crds, "bases")],
    errorIfCrdPathMissing: existsSync(crds),
    ...(options.webhooks === true ? { webhooks: { paths: [path.join(configDirectory, "webhook")] } } : {}),
  };
}

/**
 * Starts an API server with the definitions of a project, for tests of its controllers.
 *
 * Fails: as {@link Environment.start} does; nothing is left running then.
 *
 * @example
 * const environment = await startTestEnvironment({ configDirectory: path.join(import.meta.dirname, "../../config") });
 * const manager = await environment.startManager((mgr) => new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr));
 */
export async function startTestEnvironment(options: TestEnvironmentOptions): Promise<TestEnvironment> {
  const { configDirectory, ...others } = options;
  const environment = new Environment({ ...projectEnvironment(configDirectory), ...others });
  const config = await environment.start();
  const { clock = realClock } = others;
  return {
    config,
    client: createClient(config, { clock: patientClock(clock) }),
    clock,
    get cluster() {
      return environment.cluster;
    },
    startManager: async (setup, managerOptions = {}) => {
      const roles = [path.join(configDirectory, "rbac", "role.yaml")];
      return startTestManager(await environment.addServiceAccount(ACCOUNT, { roles }), setup, {
        clock: managerClock(environment, clock, managerOptions),
      });
    },
    stop: () => environment.stop(),
  };
}

// A server in another process has a clock that no test moves; there, a manager may have one of its own.
function managerClock(environment: Environment, clock: Clock, options: TestManagerOptions): Clock {
  if (options.clock === undefined || options.clock === clock || !environment.isEmbedded) return options.clock ?? clock;
  throw new EnvironmentOptionsError("cannot start a manager with its own clock: the server would not follow it", {
    hint: "pass the clock to the environment, as in startSuite({ clock }); its managers use it, too",
  });
}

/**
 * Starts an API server and a manager with webhooks that the server calls; returns once the webhooks are served.
 *
 * Guarantees: in a project with self-managed certificates, the manager makes its own on the embedded server, unless the environment has a clock.
 *
 * Fails: as {@link Environment.start} and the manager do; nothing is left running then.
 *
 * @example
 * const environment = await startWebhookEnvironment(projectEnvironment("config", { webhooks: true }), (mgr) => {
 *   setupGuestbookWebhookWithManager(mgr);
 * });
 */
export async function startWebhookEnvironment(
  options: EnvironmentOptions,
  setup: ManagerSetup,
): Promise<WebhookEnvironment> {
  const variables = await certificateVariables(options);
  const environment = new Environment(
    variables === undefined
      ? options
      : { ...options, webhooks: { ...options.webhooks, selfManagedCertificates: true } },
  );
  const config = await environment.start();
  const { clock = realClock } = options;
  try {
    const { host, port, certDirectory: certDir } = environment.webhookServing;
    const certificates = variables === undefined ? undefined : await testCertificates(environment, variables);
    const { mgr, running, stop } = await startManager(config, setup, {
      clock,
      logger: silentLogger,
      ...(certificates === undefined
        ? { webhook: { host, port, certDir } }
        : { webhook: { host, port }, certificates, healthProbeBindAddress: "127.0.0.1:0" }),
    });
    await Promise.race([mgr.getWebhookServer().listening, running]);
    if (certificates !== undefined) await Promise.race([waitForCertificates(mgr), running]);
    return {
      config,
      client: createClient(config, { clock: patientClock(clock) }),
      clock,
      get cluster() {
        return environment.cluster;
      },
      stop: async () => {
        try {
          await stop();
        } finally {
          await environment.stop();
        }
      },
    };
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

/**
 * Returns a context as a controller passes it to a reconciler, for tests that call the reconciler themselves: a signal that never aborts, the
 * program's logger, a new id, the clock of the machine, and `Math.random`.
 *
 * @example
 * await new GuestbookReconciler(client).reconcile({ namespace: "default", name: "sample" }, reconcileContext());
 */
export function reconcileContext(overrides: Partial<ReconcileContext> = {}): ReconcileContext {
  const { signal } = new AbortController();
  return { signal, log, reconcileId: randomUUID(), clock: realClock, random: Math.random, ...overrides };
}

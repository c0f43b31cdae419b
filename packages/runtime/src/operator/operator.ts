import process from "node:process";

import type { DeepReadonly, Kind, RestConfig } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { newControllerManagedBy } from "../builder/controller-builder.ts";
import type { Client, KindRef } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { getConfig } from "../config/get-config.ts";
import { ping } from "../healthz/health-handler.ts";
import { logOptionsOf } from "../log/log-flags.ts";
import { createPinoLogger } from "../log/pino-logger.ts";
import { log, setLogger } from "../log/root-logger.ts";
import { createManager } from "../manager/create-manager.ts";
import { managerFlags, managerOptionsOf } from "../manager/manager-flags.ts";
import type { Manager, ManagerOptions } from "../manager/manager.ts";
import { setupSignalHandler } from "../manager/signal-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { asReconciler, type ReconcileAnswer, type ReconcileContext } from "../reconcile/reconcile.ts";
import type { EventRecorder } from "../recorder/event-recorder.ts";

/** The context of a function of an operator. */
export interface OperatorContext extends ReconcileContext {
  /** The client of the manager, which reads from its cache. */
  readonly client: Client;
  /** Records Kubernetes events, with the name of the controller as their reporter. */
  readonly recorder: EventRecorder;
}

/**
 * Drives the cluster toward the desired state of an object. It runs at the start for each object, after each change, and again after an error; not for
 * deleted objects, whose dependents the garbage collector deletes.
 */
export type OperatorFunction<T extends KubernetesObject> = (
  object: DeepReadonly<Stored<T>>,
  context: OperatorContext,
) => Promise<ReconcileAnswer> | ReconcileAnswer;

/** Options of a controller of an {@link Operator}. */
export interface OperatorOptions<T extends KubernetesObject> {
  /** The name of the controller in logs, metrics, and events. Default: the kind in lower case. */
  readonly name?: string;
  /** Kinds whose changes run the function for the object that owns them. Default: none. */
  readonly owns?: readonly KindRef<KubernetesObject>[];
  /** Select the events of the objects. Default: all. */
  readonly predicates?: readonly Predicate<T>[];
}

/** Options of {@link Operator.run}. */
export interface RunOptions {
  /** The command line. Default: that of the process. */
  readonly argv?: readonly string[];
  /** The API server. Default: `getConfig` with the flag `--kubeconfig`. */
  readonly config?: RestConfig;
  /** Options of the manager, which override the flags. Default: none. */
  readonly manager?: ManagerOptions;
}

/** Controllers that are functions. */
export interface Operator {
  /** Returns an operator with a further controller. */
  and<T extends KubernetesObject>(kind: Kind<T>, run: OperatorFunction<T>, options?: OperatorOptions<T>): Operator;
  /** Adds the controllers to a manager, for example that of a project. */
  setupWithManager(manager: Manager): Promise<void>;
  /**
   * Runs the controllers until SIGINT or SIGTERM, with the flags of every manager. Use it as the last statement of a program: if the manager fails, it
   * logs the error and exits with status 1; wrong flags exit with status 2.
   */
  run(options?: RunOptions): Promise<void>;
}

/**
 * Creates an operator from a function: a manager with one controller, in one file. When it grows, `setupWithManager` adds the same functions to the manager
 * of a project.
 *
 * @example
 * await operator(ConfigMap, (configMap, { log }) => log.info("a ConfigMap", { keys: Object.keys(configMap.data ?? {}) })).run();
 */
export function operator<T extends KubernetesObject>(
  kind: Kind<T>,
  run: OperatorFunction<T>,
  options: OperatorOptions<T> = {},
): Operator {
  return operatorOf([setupOf(kind, run, options)]);
}

type Setup = (manager: Manager) => Promise<unknown>;

function operatorOf(setups: readonly Setup[]): Operator {
  const setupWithManager = async (manager: Manager): Promise<void> => {
    for (const setup of setups) await setup(manager);
  };
  return {
    and: (kind, run, options = {}) => operatorOf([...setups, setupOf(kind, run, options)]),
    setupWithManager,
    run: async (options = {}) => {
      try {
        await runManager(setupWithManager, options);
      } catch (error) {
        log.error(error, "Failed to run manager");
        // Exits immediately: a manager that lost its lease must not continue.
        process.exit(1);
      }
    },
  };
}

function setupOf<T extends KubernetesObject>(
  kind: Kind<T>,
  run: OperatorFunction<T>,
  { name = kind.kind.toLowerCase(), owns = [], predicates = [] }: OperatorOptions<T>,
): Setup {
  return async (manager) => {
    const client = manager.getClient();
    const recorder = manager.getEventRecorder(name);
    const builder = newControllerManagedBy(manager).named(name).for(kind, { predicates });
    for (const owned of owns) builder.owns(owned);
    const reconcile = async (object: DeepReadonly<Stored<T>>, context: ReconcileContext): Promise<ReconcileAnswer> =>
      await run(object, { ...context, client, recorder });
    return await builder.complete(asReconciler({ client, kind, reconcile }));
  };
}

async function runManager(
  setup: (manager: Manager) => Promise<void>,
  { argv = process.argv.slice(2), config, manager: options }: RunOptions,
): Promise<void> {
  const flags = managerFlags(argv);
  setLogger(createPinoLogger(logOptionsOf(flags)));
  const manager = await createManager(config ?? (await getConfig({ kubeconfig: flags.kubeconfig })), {
    ...managerOptionsOf(flags),
    ...options,
  });
  await setup(manager);
  manager.addHealthzCheck("healthz", ping);
  manager.addReadyzCheck("readyz", ping);
  await manager.start(setupSignalHandler());
}

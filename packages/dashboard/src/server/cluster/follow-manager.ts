import type { RestConfig } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { Clock } from "@kubescaffold/platform/clock";
import { createClient, type LiveClient, type Logger, type RestClient } from "@kubescaffold/runtime";

import type { DashboardMessage, LogLine, PermissionUse } from "../contract/protocol.ts";
import { followMetrics } from "./follow-metrics.ts";
import { followPermissions } from "./follow-permissions.ts";
import { DeniedPermissions } from "./granted-permissions.ts";
import { ManagerMetrics } from "./manager-metrics.ts";
import { managerContainer } from "./metrics-address.ts";
import { managerCredentials, userCredentials } from "./metrics-token.ts";
import { watchObjects } from "./object-watches.ts";
import { followLog } from "./pod-log.ts";
import { Problems, requestProblem } from "./problems.ts";
import { isRunning, type LeaseHolder, managerStateOf, replicasOf } from "./replicas.ts";
import { ShownObjects } from "./shown-objects.ts";
import { type OperatorScope, watchTargets } from "./watch-targets.ts";
import type { WatchedHistory } from "./watched-history.ts";

/** The manager to follow, and how. */
export interface FollowedManager {
  readonly config: RestConfig;
  readonly rest: RestClient;
  readonly scope: OperatorScope;
  /** The user of the requests. */
  readonly user: string;
  /** The prefix of the names in `config/default`. */
  readonly namePrefix: string;
  /** Whose token reads the metrics. */
  readonly metricsToken: "manager" | "kubeconfig";
  readonly metricsIntervalMs: number;
  /** Reads a line of the manager's log; undefined if it is not structured. */
  readonly readLogLine: (text: string) => LogLine | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records the versions of objects. */
  readonly history: WatchedHistory;
}

/** Publishes what a cluster says of a manager; returns what ends that. */
export function followManager(
  manager: FollowedManager,
  publish: (message: DashboardMessage) => void,
): () => Promise<void> {
  const follower = new ManagerFollower(manager, publish);
  return async () => await follower.stop();
}

class ManagerFollower {
  readonly #manager: FollowedManager;
  readonly #publish: (message: DashboardMessage) => void;
  readonly #client: LiveClient;
  readonly #problems: Problems;
  readonly #metrics = new ManagerMetrics();
  readonly #denied = new DeniedPermissions();
  readonly #pods = new Map<string, Pod>();
  readonly #leases = new Map<string, LeaseHolder>();
  /** What ends the log of a Pod. */
  readonly #logs = new Map<string, AbortController>();
  readonly #ending = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  #published = "";
  #hasPods = false;

  constructor(manager: FollowedManager, publish: (message: DashboardMessage) => void) {
    this.#manager = manager;
    this.#publish = publish;
    this.#client = createClient(manager.config, { restClient: manager.rest });
    this.#problems = new Problems(publish);
    this.#watch();
    this.#run(followMetrics(this.#metricsParts(), this.#ending.signal));
    this.#run(
      followPermissions(
        {
          client: this.#client,
          clock: manager.clock,
          problems: this.#problems,
          publish,
          user: manager.user,
          account: () => this.#serviceAccount(),
        },
        this.#ending.signal,
      ),
    );
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    for (const log of this.#logs.values()) log.abort();
    await Promise.all(this.#tasks);
  }

  #run(task: Promise<void>): void {
    const settled = task.catch(() => undefined).then(() => void this.#tasks.delete(settled));
    this.#tasks.add(settled);
  }

  #watch(): void {
    const { scope, clock, log, user, history } = this.#manager;
    const shown = new ShownObjects(this.#publish);
    const parts = { client: this.#client, clock, log, problems: this.#problems, shown, history, user };
    const targets = watchTargets(scope, {
      pod: (uid, pod) => this.#podChanged(uid, pod),
      lease: (uid, lease) => {
        if (lease === undefined) this.#leases.delete(uid);
        else this.#leases.set(uid, lease);
        this.#publishReplicas();
      },
      isOwnLease: ({ name, holder }) => this.#metrics.hasLease(name) || this.#isOwnHolder(holder),
      synced: () => this.#podsListed(),
    });
    for (const target of targets) this.#run(watchObjects(parts, target, this.#ending.signal));
  }

  #isOwnHolder(holder: string): boolean {
    return [...this.#pods.values()].some(({ metadata: { name = "" } }) => holder.startsWith(`${name}_`));
  }

  #metricsParts(): Parameters<typeof followMetrics>[0] {
    const { config, rest, clock, log, user, namePrefix, metricsToken, metricsIntervalMs } = this.#manager;
    return {
      rest,
      clock,
      log,
      problems: this.#problems,
      metrics: this.#metrics,
      credentials: metricsToken === "manager" ? managerCredentials(this.#client, clock) : userCredentials(config, user),
      publish: this.#publish,
      read: () => this.#publishReplicas(),
      pods: () => [...this.#pods.values()].filter(isRunning),
      user,
      namePrefix,
      intervalMs: metricsIntervalMs,
    };
  }

  #podChanged(uid: string, pod: Pod | undefined): void {
    if (pod === undefined) {
      this.#pods.delete(uid);
      this.#logs.get(uid)?.abort();
      this.#logs.delete(uid);
    } else {
      this.#pods.set(uid, pod);
      if (!this.#logs.has(uid)) this.#followLog(uid, pod);
    }
    this.#publishReplicas();
  }

  // Called once it is known which Pods there are.
  #podsListed(): void {
    this.#hasPods = true;
    this.#publishReplicas();
  }

  #publishReplicas(): void {
    const { clock, scope } = this.#manager;
    const replicas = replicasOf([...this.#pods.values()], {
      leases: [...this.#leases.values()],
      isLeaderByMetrics: (pod) => this.#metrics.isLeader(pod),
      hasMetrics: (pod) => this.#metrics.has(pod),
    });
    const printed = JSON.stringify(replicas);
    if (!this.#hasPods || printed === this.#published) return;
    this.#published = printed;
    this.#publish({ type: "replicas", replicas });
    this.#publish(managerStateOf(replicas, clock.now()));
    this.#problems.set(
      "manager",
      replicas.length > 0
        ? undefined
        : {
            source: "manager",
            message: `no Pod of the manager in the namespace ${scope.namespace} (labels ${scope.selector})`,
            hint: "deploy the operator, or pass --namespace and --selector if it runs elsewhere; the page shows it once there is a Pod:",
            commands: [
              `kubectl -n ${scope.namespace} get deployments,pods -l ${scope.selector}`,
              "npx scaffold deploy --image <image>",
            ],
          },
    );
  }

  #followLog(uid: string, pod: Pod): void {
    const { rest, clock } = this.#manager;
    const { name = "", namespace = "" } = pod.metadata;
    const container = managerContainer(pod)?.name;
    if (container === undefined) return;
    const ending = new AbortController();
    this.#logs.set(uid, ending);
    const target = { namespace, pod: name, container };
    const receiver = {
      line: (text: string, at: number) => this.#showLine(text, at, name),
      failed: (error: unknown) => this.#problems.set("logs", error === undefined ? undefined : this.#logProblem(error)),
    };
    this.#run(followLog(rest, target, { receiver, clock, signal: ending.signal }));
  }

  #logProblem(error: unknown): ReturnType<typeof requestProblem> {
    const { user, scope } = this.#manager;
    return requestProblem("logs", error, {
      user,
      verbs: ["get"],
      resource: "pods/log",
      namespace: scope.namespace,
      role: "dashboard-logs",
    });
  }

  #showLine(text: string, at: number, pod: string): void {
    const line = this.#manager.readLogLine(text) ?? {
      type: "log",
      at,
      level: "output",
      logger: "",
      message: text,
    };
    this.#publish({ ...line, pod });
    const denied = this.#deniedBy(`${line.message} ${line.error ?? ""}`);
    if (denied !== undefined) this.#publish(denied);
  }

  #deniedBy(message: string): PermissionUse | undefined {
    const account = this.#serviceAccount();
    return account === undefined ? undefined : this.#denied.read(message, account);
  }

  // The user name of the manager; unknown before there is a Pod.
  #serviceAccount(): string | undefined {
    const [pod] = this.#pods.values();
    if (pod === undefined) return undefined;
    return `system:serviceaccount:${pod.metadata.namespace ?? ""}:${pod.spec?.serviceAccountName ?? "default"}`;
  }
}

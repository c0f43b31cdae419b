import { isForbidden, isUnauthorized, type RestConfig, messageOf } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { type Clock, sleep } from "@kubescaffold/platform/clock";
import { type Logger, PortForwardError, type RestClient } from "@kubescaffold/runtime";

import type { DashboardMessage, SourceProblem } from "../contract/protocol.ts";
import type { ManagerMetrics } from "./manager-metrics.ts";
import { type MetricsAddress, metricsAddressOf } from "./metrics-address.ts";
import { MetricsEndpoint } from "./metrics-endpoint.ts";
import { parseMetrics } from "./metrics-text.ts";
import type { MetricsCredentials, ServiceAccountKey } from "./metrics-token.ts";
import { grantCommands, type Problems, requestProblem, subjectFlag } from "./problems.ts";

/** What reading metrics needs. */
export interface MetricsParts {
  readonly rest: RestClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly problems: Problems;
  readonly metrics: ManagerMetrics;
  /** Undefined if the kubeconfig has none that metrics accept. */
  readonly credentials: MetricsCredentials | undefined;
  readonly publish: (message: DashboardMessage) => void;
  /** Calls back after each round. */
  readonly read: () => void;
  /** The Pods whose ports can be reached. */
  readonly pods: () => readonly Pod[];
  /** The user of the requests, for messages. */
  readonly user: string;
  /** The prefix of the names in `config/default`. */
  readonly namePrefix: string;
  /** The time between two reads. */
  readonly intervalMs: number;
}

/** Reads the metrics of all replicas again and again, until the signal aborts. */
export async function followMetrics(parts: MetricsParts, signal: AbortSignal): Promise<void> {
  const { clock, problems } = parts;
  const readers = new Map<string, ReplicaMetrics>();
  try {
    while (!signal.aborted) {
      const pods = parts.pods();
      const names = new Set(pods.map(({ metadata }) => metadata.uid ?? ""));
      for (const [uid, reader] of readers) {
        if (names.has(uid)) continue;
        readers.delete(uid);
        void reader.close();
      }
      for (const pod of pods) {
        const uid = pod.metadata.uid ?? "";
        if (!readers.has(uid)) readers.set(uid, new ReplicaMetrics(parts, pod));
      }
      const found = await Promise.all([...readers.values()].map(async (reader) => await reader.read()));
      if (!signal.aborted) {
        // One is enough: replicas have the same template.
        problems.set(
          "metrics",
          found.find((problem) => problem !== undefined),
        );
        publishState(parts);
      }
      await sleep(clock, parts.intervalMs, signal).catch(() => undefined);
    }
  } finally {
    await Promise.all([...readers.values()].map(async (reader) => await reader.close()));
  }
}

function publishState({ metrics, clock, publish, intervalMs, read }: MetricsParts): void {
  const now = clock.now();
  for (const message of [...metrics.controllers(now, intervalMs), ...metrics.webhooks(now)]) publish(message);
  read();
}

/** The metrics of one Pod. */
class ReplicaMetrics {
  readonly #parts: MetricsParts;
  readonly #pod: string;
  readonly #metricsAddress: MetricsAddress | undefined;
  readonly #serviceAccount: ServiceAccountKey;
  readonly #endpoint: MetricsEndpoint | undefined;

  constructor(parts: MetricsParts, pod: Pod) {
    const { name = "", namespace = "" } = pod.metadata;
    this.#parts = parts;
    this.#pod = name;
    this.#metricsAddress = metricsAddressOf(pod);
    this.#serviceAccount = { namespace, name: pod.spec?.serviceAccountName ?? "default" };
    this.#endpoint =
      this.#metricsAddress === undefined
        ? undefined
        : new MetricsEndpoint(parts.rest, { namespace, pod: name, address: this.#metricsAddress }, parts.log);
  }

  /** Reads the metrics once; returns what prevents that. */
  async read(): Promise<SourceProblem | undefined> {
    const { metrics, clock } = this.#parts;
    try {
      const text = await this.#text();
      if (typeof text !== "string") {
        metrics.forget(this.#pod);
        return text;
      }
      const parsed = parseMetrics(text);
      if (parsed.kind === "metrics") {
        metrics.read(this.#pod, parsed.samples, clock.now());
        return undefined;
      }
      metrics.forget(this.#pod);
      return problemOf(
        parsed.kind === "too-large"
          ? `/metrics of ${this.#pod} is not shown: it has more than ${parsed.limit}`
          : `line ${String(parsed.line)} of /metrics of ${this.#pod} is not in the text format of Prometheus`,
      );
    } catch (error) {
      metrics.forget(this.#pod);
      return this.#problem(error);
    }
  }

  async close(): Promise<void> {
    this.#parts.metrics.forget(this.#pod);
    await this.#endpoint?.close();
  }

  async #text(): Promise<string | SourceProblem> {
    if (this.#endpoint === undefined) return DISABLED;
    if (this.#metricsAddress?.isSecure !== true) return await this.#endpoint.read(undefined);
    const { credentials } = this.#parts;
    if (credentials === undefined) return NO_TOKEN;
    const granted = await this.#grant(credentials);
    if ("problem" in granted) return granted.problem;
    return await this.#endpoint.read(granted.credentials);
  }

  async #grant(
    credentials: MetricsCredentials,
  ): Promise<{ readonly credentials: NonNullable<RestConfig["credentials"]> } | { readonly problem: SourceProblem }> {
    try {
      return { credentials: await credentials.get(this.#serviceAccount) };
    } catch (error) {
      const { namespace, name } = this.#serviceAccount;
      const problem = requestProblem("metrics", error, {
        user: this.#parts.user,
        verbs: ["create"],
        resource: "serviceaccounts/token",
        namespace,
        role: "dashboard-token",
      });
      return {
        problem: {
          ...problem,
          message: `cannot request a token of the service account ${namespace}/${name} for the metrics: ${problem.message}`,
          ...(isForbidden(error)
            ? {
                hint: "pass --metrics-token=kubeconfig to send the token of your kubeconfig to the Pod instead, or let an administrator grant the permission:",
              }
            : {}),
        },
      };
    }
  }

  #problem(error: unknown): SourceProblem {
    const { credentials, user, namePrefix } = this.#parts;
    const { namespace, name } = this.#serviceAccount;
    if (isUnauthorized(error)) {
      credentials?.forget(this.#serviceAccount);
      const role = `${namePrefix}metrics-auth-role`;
      return problemOf(`the Pod ${this.#pod} did not accept the token for its metrics`, {
        hint: `the manager verifies tokens with TokenReviews: bind ${role} to its service account:`,
        commands: [bind(`${namePrefix}metrics-auth-rolebinding`, role, `system:serviceaccount:${namespace}:${name}`)],
      });
    }
    // The Pod refuses as a web server does, the API server with a Status that names the resource.
    if (isForbidden(error) && !messageOf(error).includes('resource "pods/portforward"')) {
      const reader = credentials?.userOf(this.#serviceAccount) ?? user;
      const role = `${namePrefix}metrics-reader`;
      return problemOf(`${reader} may not read the metrics of the manager`, {
        hint: `let an administrator bind the role ${role}; it takes effect within 30 seconds:`,
        commands: [bind(`${namePrefix}dashboard-metrics-reader`, role, reader)],
      });
    }
    if (isForbidden(error)) {
      const commands = grantCommands({
        user,
        verbs: ["create"],
        resource: "pods/portforward",
        namespace,
        role: "dashboard-portforward",
      });
      return problemOf(messageOf(error), { hint: "let an administrator grant the permission:", commands });
    }
    if (error instanceof PortForwardError)
      return problemOf(
        `cannot reach port ${String(this.#metricsAddress?.port ?? 0)} of the Pod ${this.#pod}: ${error.message}`,
      );
    return problemOf(`cannot read the metrics of the Pod ${this.#pod}: ${messageOf(error)}`);
  }
}

const DISABLED: SourceProblem = {
  source: "metrics",
  message: "the manager serves no metrics: its flag --metrics-bind-address is 0 or missing",
  hint: "enable [METRICS] in config/default/kustomization.yaml, which sets --metrics-bind-address=:8443, and deploy the operator again",
};

const NO_TOKEN: SourceProblem = {
  source: "metrics",
  message: "the kubeconfig has no token to read the metrics with: its credentials are a client certificate",
  hint: "omit --metrics-token=kubeconfig: a token of the manager's service account is requested then",
};

function problemOf(message: string, more: Pick<SourceProblem, "hint" | "commands"> = {}): SourceProblem {
  return { source: "metrics", message, ...more };
}

function bind(name: string, role: string, user: string): string {
  return `kubectl create clusterrolebinding ${name} --clusterrole=${role} ${subjectFlag(user)}`;
}

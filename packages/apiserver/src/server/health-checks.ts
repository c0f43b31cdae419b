import { goQuote } from "@kubescaffold/k8s";

import type { HealthCounts } from "../metrics/health-metrics.ts";
import { PAGE_NOT_FOUND } from "../output/write-response.ts";
import type { GateName } from "../release/gate-names.ts";
import type { Release } from "../release/release.ts";
import type { ServerResponse } from "../request/server-request.ts";

const HEALTH_ENDPOINTS = ["healthz", "livez", "readyz"] as const;

type HealthEndpoint = (typeof HEALTH_ENDPOINTS)[number];

type Conditions = Pick<Release, "since" | "isEnabled">;

/** Returns the paths of the health endpoints of a release and of each of their checks. */
export function healthPaths(release: Conditions): readonly string[] {
  return HEALTH_ENDPOINTS.flatMap((endpoint) => [
    `/${endpoint}`,
    ...checksOf(release, endpoint).map((name) => `/${endpoint}/${name}`),
  ]);
}

/** Answers the health endpoints of one server: a server in the process is well as long as it answers. */
export class HealthChecks {
  readonly #release: Conditions;
  readonly #counts = new Map<HealthEndpoint, Map<string, number>>();

  constructor(release: Conditions) {
    this.#release = release;
  }

  /** How often each check has run with all others, by the endpoint. */
  get counts(): HealthCounts {
    return this.#counts;
  }

  /** Answers a health endpoint, or one of its checks. */
  handle(endpoint: HealthEndpoint, check: string, query: URLSearchParams): ServerResponse {
    const checks = checksOf(this.#release, endpoint);
    if (check !== "") return checks.includes(check) ? plain("ok") : PAGE_NOT_FOUND;
    const excluded = new Set(query.getAll("exclude"));
    this.#count(
      endpoint,
      checks.filter((name) => !excluded.has(name)),
    );
    return query.has("verbose") ? verboseAnswer(endpoint, checks, excluded) : plain("ok", NO_SNIFF);
  }

  #count(endpoint: HealthEndpoint, checks: readonly string[]): void {
    const counts = this.#counts.get(endpoint) ?? new Map<string, number>();
    this.#counts.set(endpoint, counts);
    for (const name of checks) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

function verboseAnswer(
  endpoint: HealthEndpoint,
  checks: readonly string[],
  excluded: ReadonlySet<string>,
): ServerResponse {
  const lines = checks.map((name) => `[+]${name} ${excluded.has(name) ? "excluded: " : ""}ok`);
  const unknown = [...excluded].filter((name) => !checks.includes(name)).toSorted();
  const warning = `warn: some health checks cannot be excluded: no matches for ${unknown.map(goQuote).join(", ")}`;
  return plain(
    [...lines, ...(unknown.length === 0 ? [] : [warning]), `${endpoint} check passed`, ""].join("\n"),
    NO_SNIFF,
  );
}

const NO_SNIFF = { "X-Content-Type-Options": "nosniff" } as const;

function plain(body: string, headers: Readonly<Record<string, string>> = {}): ServerResponse {
  return { code: 200, contentType: "text/plain; charset=utf-8", headers, body };
}

// The steps in which a server starts, in their order. All of them are over when it answers.
const START = `
start-apiserver-admission-initializer
generic-apiserver-start-informers
priority-and-fairness-config-consumer
priority-and-fairness-filter
storage-object-count-tracker-hook
start-apiextensions-informers
start-apiextensions-controllers
crd-informer-synced
start-system-namespaces-controller
peer-endpoint-reconciler-controller
start-cluster-authentication-info-controller
start-kube-apiserver-identity-lease-controller
start-kube-apiserver-identity-lease-garbage-collector
storage-readiness
start-legacy-token-tracking-controller
start-service-ip-repair-controllers
rbac/bootstrap-roles
scheduling/bootstrap-system-priority-classes
priority-and-fairness-config-producer
bootstrap-controller
start-kubernetes-service-cidr-controller
start-kube-aggregator-informers
apiservice-status-local-available-controller
apiservice-status-remote-available-controller
apiservice-registration-controller
apiservice-discovery-controller
kube-apiserver-autoregistration
-autoregister-completion
apiservice-openapi-controller
apiservice-openapiv3-controller
`;

// The feature gates of the steps that have one.
const GATES: Readonly<Record<string, GateName>> = {
  "peer-endpoint-reconciler-controller": "UnknownVersionInteroperabilityProxy",
  "storage-readiness": "WatchCacheInitializationPostStartHook",
};

const STEPS: readonly string[] = START.trim().split("\n");

function checksOf(release: Conditions, endpoint: HealthEndpoint): readonly string[] {
  const steps = STEPS.filter((name) => GATES[name] === undefined || release.isEnabled(GATES[name])).map((name) =>
    name.startsWith("-") ? name.slice(1) : `poststarthook/${name}`,
  );
  return endpoint === "readyz"
    ? ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...steps, "shutdown"]
    : ["ping", "log", ...(release.since("1.36") ? ["loopback-serving-certificate"] : []), "etcd", ...steps];
}

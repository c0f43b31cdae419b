import {
  type Aggregator,
  apiAggregator,
  BackendClient,
  type BackendFinder,
  type BackendHandler,
  type ClientPair,
  type Factory,
  type JsonObject,
  loadOnce,
  type ServerContext,
  type ServiceResolver,
} from "@kubescaffold/apiserver/cluster-api";
import { parseApiVersion, toTime } from "@kubescaffold/k8s";

import type { MetricStore } from "../controllers/autoscaling/cluster-metrics.ts";
import { METRICS_SERVICE } from "../controllers/autoscaling/metrics-service.ts";

/**
 * An API server in this process, whose group versions a cluster serves beside its own.
 *
 * Its user is the one that the cluster has authenticated and authorized; the headers `X-Remote-User`, `X-Remote-Group`, and `X-Remote-Extra-…` name it, too.
 */
export type AggregatedServer = {
  /** Handles requests for the group versions, their discovery (`/apis/<group>/<version>`), and OpenAPI documents; a watch is a body that is a stream. */
  readonly handle: BackendHandler;
} & (
  | {
      /** The group versions, such as `metrics.k8s.io/v1beta1`; the cluster has an APIService for each from the start. */
      readonly groupVersions: readonly string[];
    }
  | {
      /** The Service that your own APIServices name; it need not exist. */
      readonly service: { readonly namespace: string; readonly name: string };
    }
);

/** What finds the servers behind Services. */
export interface AggregationParts {
  readonly servers: readonly AggregatedServer[];
  /** Finds a server that is declared outside of the cluster. */
  readonly resolveDeclared: ServiceResolver;
  /** Finds a server by the objects of the cluster. */
  readonly resolveInCluster: ServiceResolver;
  /** Identifies the cluster to other servers. */
  readonly clientPair: () => Promise<ClientPair>;
}

/** The parts of a cluster that serve other API servers. */
export interface Aggregation {
  readonly aggregator: Factory<Aggregator>;
  /** What reaches the servers. */
  readonly backends: { readonly client: BackendClient; readonly find: BackendFinder };
  /** Closes the connections to other servers. */
  readonly close: () => void;
}

/** Creates the parts that serve other API servers. */
export function createAggregation({ servers, clientPair, ...resolvers }: AggregationParts): Aggregation {
  const client = new BackendClient(loadOnce(clientPair));
  const backends = { client, find: backendFinder(servers, resolvers) };
  return {
    aggregator: (context) => apiAggregator(context, backends),
    backends,
    close: () => client.close(),
  };
}

function backendFinder(
  servers: readonly AggregatedServer[],
  { resolveDeclared, resolveInCluster }: Pick<AggregationParts, "resolveDeclared" | "resolveInCluster">,
): BackendFinder {
  const handlers = new Map(servers.flatMap((server) => placesOf(server).map((place) => [place, server.handle])));
  return (service) => {
    const handle = handlers.get(`${service.namespace}/${service.name}`);
    if (handle !== undefined) return { backend: { kind: "handler", handle }, isDeclared: true };
    const declared = resolveDeclared(service);
    const address = declared ?? resolveInCluster(service);
    return address === undefined
      ? undefined
      : { backend: { kind: "address", address }, isDeclared: declared !== undefined };
  };
}

function placesOf(server: AggregatedServer): readonly string[] {
  return "service" in server
    ? [`${server.service.namespace}/${server.service.name}`]
    : server.groupVersions.map((groupVersion) => `${NAMESPACE}/${serviceNameOf(groupVersion)}`);
}

const NAMESPACE = "kube-system";

function serviceNameOf(groupVersion: string): string {
  return parseApiVersion(groupVersion).group.replaceAll(".", "-");
}

/** Returns the APIServices of servers that state their group versions. */
export function aggregatedApiServices(servers: readonly AggregatedServer[], nowMs: number): readonly JsonObject[] {
  return servers.flatMap((server) =>
    "service" in server ? [] : server.groupVersions.map((groupVersion) => apiServiceOf(groupVersion, nowMs)),
  );
}

function apiServiceOf(groupVersion: string, nowMs: number): JsonObject {
  const { group, version } = parseApiVersion(groupVersion);
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: toTime(nowMs),
    reason: "Passed",
    message: "all checks passed",
  };
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { namespace: NAMESPACE, name: serviceNameOf(groupVersion), port: 443 },
    },
    status: { conditions: [available] },
  };
}

/** The server of the API `metrics.k8s.io`, which is served while its APIService is registered. */
export function metricsApi(metrics: MetricStore, { objects, clock }: ServerContext): AggregatedServer {
  return {
    service: METRICS_SERVICE,
    handle: async (request) => {
      const { answerMetrics } = await import("./metrics-server.ts");
      return answerMetrics(request, { metrics, objects, clock });
    },
  };
}

import { parseSelection } from "@kubescaffold/apiserver/cluster-api";
import { newNotFound, StatusError } from "@kubescaffold/k8s";

import { METRICS_GROUP, METRICS_VERSION } from "../controllers/autoscaling/metrics-service.ts";
import {
  type MetricSelection,
  nodeMetrics,
  podMetrics,
  type ResourceMetricSources,
} from "../controllers/autoscaling/resource-metrics.ts";

const GROUP_PATH = `/apis/${METRICS_GROUP}`;
const VERSION_PATH = `${GROUP_PATH}/${METRICS_VERSION}`;
const GROUP_VERSION = `${METRICS_GROUP}/${METRICS_VERSION}`;
const VERBS = ["get", "list"];

/** Answers a request for the API of resource metrics, which `kubectl top` reads. */
export function answerMetrics(request: Request, sources: ResourceMetricSources): Response {
  const url = new URL(request.url);
  if (request.method !== "GET") {
    const message = "the server does not allow this method on the requested resource";
    return statusAnswer(405, "MethodNotAllowed", message);
  }
  try {
    const body = documentAt(url.pathname) ?? metricsAt(url, sources);
    return body === undefined
      ? statusAnswer(404, "NotFound", "the server could not find the requested resource")
      : Response.json(body);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return Response.json(error.status, { status: error.status.code ?? 500 });
  }
}

function statusAnswer(code: number, reason: string, message: string): Response {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  return Response.json(body, { status: code });
}

function documentAt(path: string): object | undefined {
  const version = { groupVersion: GROUP_VERSION, version: METRICS_VERSION };
  const group = { name: METRICS_GROUP, versions: [version], preferredVersion: version };
  switch (path) {
    case "/apis":
      return { kind: "APIGroupList", apiVersion: "v1", groups: [group] };
    case GROUP_PATH:
      return { kind: "APIGroup", apiVersion: "v1", ...group };
    case VERSION_PATH:
      return {
        kind: "APIResourceList",
        apiVersion: "v1",
        groupVersion: GROUP_VERSION,
        resources: [
          { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: VERBS },
          { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: VERBS },
        ],
      };
    default:
      return undefined;
  }
}

const NO_FIELDS = { selectableFields: new Map<string, never>(), hasOwnFieldSelectors: false };
// Metrics are selected by labels, name, and namespace.
const SELECTABLE = { isNamespaced: true, strategy: () => NO_FIELDS };

const METRICS = /^(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>nodes|pods)(?:\/(?<name>[^/]+))?$/u;

function metricsAt(url: URL, sources: ResourceMetricSources): object | undefined {
  if (!url.pathname.startsWith(VERSION_PATH)) return undefined;
  const groups = METRICS.exec(url.pathname.slice(VERSION_PATH.length))?.groups;
  if (groups === undefined) return undefined;
  const { namespace, resource, name } = groups;
  const isOfPods = resource === "pods";
  if (!isOfPods && namespace !== undefined) return undefined;
  const selection: MetricSelection = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(name === undefined ? { matches: parseSelection(url.searchParams, SELECTABLE).matches } : {}),
  };
  const items = isOfPods ? podMetrics(sources, selection) : nodeMetrics(sources, selection);
  if (name === undefined) {
    const kind = isOfPods ? "PodMetricsList" : "NodeMetricsList";
    return { kind, apiVersion: GROUP_VERSION, metadata: {}, items };
  }
  const [item] = items;
  if (item !== undefined) return item;
  const kind = { group: METRICS_GROUP, resource: isOfPods ? "podmetrics" : "nodemetrics" };
  throw newNotFound(kind, isOfPods ? `${namespace ?? ""}/${name}` : name);
}

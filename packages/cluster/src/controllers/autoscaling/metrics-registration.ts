import {
  API_SERVICES,
  type ControllerIdentity,
  type InProcessController,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";
import type { APIService } from "@kubescaffold/k8s/apiregistration/v1";

import { readStored } from "../workload/workload-objects.ts";
import type { MetricStore } from "./cluster-metrics.ts";
import { METRICS_API_SERVICE, METRICS_GROUP, METRICS_SERVICE, METRICS_VERSION } from "./metrics-service.ts";

/** Registers the API of resource metrics while there are any, as the manifest of the metrics-server does. */
export function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { metrics }: { readonly metrics: MetricStore },
): InProcessController {
  const client = context.clientFor(self.user);
  const target = { ...API_SERVICES, version: "v1", namespace: "", name: METRICS_API_SERVICE };
  return storeController({
    name: self.name,
    context,
    watches: [],
    keysOf: () => [],
    initialKeys: () => [METRICS_API_SERVICE],
    subscribe: (add) => metrics.onChange(() => add([METRICS_API_SERVICE])),
    work: async () => {
      const found = readStored<APIService>(context, API_SERVICES, { namespace: "", name: METRICS_API_SERVICE });
      const isWanted = metrics.has("resource");
      if (isWanted === (found !== undefined)) return;
      if (isWanted)
        await client.create({ ...target, name: "" }, apiService() as never).catch(ignoring(isAlreadyExists));
      else if (isOwn(found)) await client.delete(target).catch(ignoring(isNotFound));
    },
  });
}

function ignoring(isExpected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!isExpected(error)) throw error;
  };
}

function isOwn(found: APIService | undefined): boolean {
  const { namespace, name } = found?.spec?.service ?? {};
  return namespace === METRICS_SERVICE.namespace && name === METRICS_SERVICE.name;
}

function apiService(): APIService {
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: METRICS_API_SERVICE },
    spec: {
      group: METRICS_GROUP,
      version: METRICS_VERSION,
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { ...METRICS_SERVICE, port: 443 },
    },
  };
}

import {
  API_SERVICES,
  type Factory,
  type InProcessController,
  type ServerContext,
} from "@kubescaffold/apiserver/cluster-api";

import type { MetricStore } from "../controllers/autoscaling/cluster-metrics.ts";
import { METRICS_API_SERVICE, METRICS_SERVICE } from "../controllers/autoscaling/metrics-service.ts";
import { lazyController } from "../controllers/lazy-controller.ts";
import type { AggregatedServer } from "./aggregated-servers.ts";

/** The server of the API `metrics.k8s.io`, which is served while its APIService is registered. */
export function metricsApi(metrics: MetricStore, context: () => ServerContext): AggregatedServer {
  return {
    service: METRICS_SERVICE,
    handle: async (request) => {
      const { answerMetrics } = await import("./metrics-server.ts");
      const { objects, clock } = context();
      return answerMetrics(request, { metrics, objects, clock });
    },
  };
}

/** Returns the controller that registers the API while there are metrics of resources; it is loaded with the first of them. */
export function metricsApiRegistration(metrics: MetricStore): Factory<InProcessController> {
  return (context) => {
    const controller = lazyController("metrics-registration", async () => {
      const { metricsRegistration } = await import("../controllers/autoscaling/metrics-registration.ts");
      return (each) => metricsRegistration(each, metrics);
    })(context);
    let unsubscribe: (() => void) | undefined;
    let hasStarted = false;
    const begin = (): void => {
      unsubscribe?.();
      unsubscribe = undefined;
      hasStarted = true;
      controller.start();
    };
    return {
      name: controller.name,
      start: () => {
        const key = { namespace: "", name: METRICS_API_SERVICE };
        if (metrics.has("resource") || context.objects.get(API_SERVICES, key) !== undefined) begin();
        else unsubscribe = metrics.onChange(begin);
      },
      stop: async () => {
        unsubscribe?.();
        if (hasStarted) await controller.stop();
        hasStarted = false;
      },
      idle: async () => {
        if (hasStarted) await controller.idle();
      },
    };
  };
}

import {
  ADMIN,
  API_SERVICES,
  type Controller,
  defineController,
  EVENT_RULE,
} from "@kubescaffold/apiserver/cluster-api";

import { AUTOSCALERS } from "./autoscaling-resources.ts";
import type { MetricStore } from "./cluster-metrics.ts";
import { METRICS_API_SERVICE } from "./metrics-service.ts";

/** What the controllers of metrics need. */
interface MetricParts {
  readonly metrics: MetricStore;
}

/** Scales the targets of HorizontalPodAutoscalers. */
export const AUTOSCALING_CONTROLLER: Controller<MetricParts> = defineController({
  name: "horizontal-pod-autoscaler",
  rules: [
    { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers/status"], verbs: ["update"] },
    { apiGroups: ["*"], resources: ["*/scale"], verbs: ["get", "update"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] },
    { apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs: ["list", "watch"] },
    { apiGroups: ["custom.metrics.k8s.io"], resources: ["*"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["external.metrics.k8s.io"], resources: ["*"], verbs: ["get", "list", "watch"] },
    EVENT_RULE,
  ],
  demand: { resources: [AUTOSCALERS] },
  load: () => import("./autoscaling-controller.ts"),
});

/** Registers the API `metrics.k8s.io` while there are metrics of resources. */
export const METRICS_REGISTRATION: Controller<MetricParts> = defineController({
  name: "metrics-registration",
  user: ADMIN,
  demand: {
    isNeeded: ({ objects }, { metrics }) =>
      metrics.has("resource") || objects.get(API_SERVICES, { namespace: "", name: METRICS_API_SERVICE }) !== undefined,
    onNeeded: (_context, { metrics }, begin) => metrics.onChange(begin),
  },
  load: () => import("./metrics-registration.ts"),
});

/** The name of the service account of the controller of HorizontalPodAutoscalers. */
export const AUTOSCALING_CONTROLLER = "horizontal-pod-autoscaler";

/** Where HorizontalPodAutoscalers are stored and served. */
export const AUTOSCALERS = { group: "autoscaling", version: "v2", resource: "horizontalpodautoscalers" } as const;

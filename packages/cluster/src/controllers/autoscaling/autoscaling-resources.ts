/** Where HorizontalPodAutoscalers are stored and served. */
export const AUTOSCALERS = { group: "autoscaling", version: "v2", resource: "horizontalpodautoscalers" } as const;

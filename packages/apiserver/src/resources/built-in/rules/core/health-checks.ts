import type { MutableJsonObject } from "../../../../storage/api-object.ts";

/** Reports whether a Service has a port for checks of health. */
export function needsHealthCheck(spec: MutableJsonObject | undefined): boolean {
  return spec?.["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
}

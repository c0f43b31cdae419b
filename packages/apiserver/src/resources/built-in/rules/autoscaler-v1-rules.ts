import { deepClone, isRecord, parseJson } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

// Where v1 keeps what it has no fields for.
const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";

/** Rules of HorizontalPodAutoscalers of `v1` beyond their schema; they are stored as those of `v2`. */
export const autoscalerV1Rules: BuiltInRules = {
  setDefaults: (autoscaler) => {
    const spec = ensureObject(autoscaler, "spec");
    setAbsent(spec, { minReplicas: 1 });
    if (autoscaler.metadata.annotations?.[METRICS] === undefined) {
      setAbsent(spec, { targetCPUUtilizationPercentage: 80 });
    }
  },
  prepareForCreate: (autoscaler) => {
    autoscaler["status"] = { currentReplicas: 0, desiredReplicas: 0 };
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { autoscalerErrors, autoscalerStatusErrors } = await import("./autoscaling/autoscaler-errors.ts");
    return {
      validate: (autoscaler, _context, old) => autoscalerErrors(toV2(autoscaler), old),
      validateStatus: (autoscaler) => autoscalerStatusErrors(autoscaler),
    };
  },
  toStored: (autoscaler) => toV2(autoscaler),
  fromStored: (stored) => viewOf(stored),
};

const views = new WeakMap<ApiObject, ApiObject>();

function viewOf(stored: ApiObject): ApiObject {
  let view = views.get(stored);
  if (view === undefined) {
    view = toV1(stored);
    views.set(stored, view);
  }
  return view;
}

function toV2(autoscaler: ApiObject): ApiObject {
  const object = deepClone(autoscaler);
  object.apiVersion = "autoscaling/v2";
  const spec = ensureObject(object, "spec");
  const target = numberIn(spec, "targetCPUUtilizationPercentage");
  const cpu = target === undefined ? [] : [cpuMetric({ target: { type: "Utilization", averageUtilization: target } })];
  spec["metrics"] = [...cpu, ...takeAnnotation(object, METRICS)];
  delete spec["targetCPUUtilizationPercentage"];
  const status = ensureObject(object, "status");
  if (status["currentReplicas"] === 0) {
    delete status["currentReplicas"];
  }
  const current = numberIn(status, "currentCPUUtilizationPercentage");
  status["currentMetrics"] = current === undefined ? null : [cpuMetric({ current: { averageUtilization: current } })];
  delete status["currentCPUUtilizationPercentage"];
  const conditions = takeAnnotation(object, CONDITIONS);
  if (conditions.length > 0) {
    status["conditions"] = conditions;
  }
  return object;
}

function toV1(stored: ApiObject): ApiObject {
  const object = deepClone(stored);
  object.apiVersion = "autoscaling/v1";
  const spec = ensureObject(object, "spec");
  const metrics = objectsIn(spec, "metrics");
  const cpu = metrics.find((metric) => isCpu(metric) && utilizationOf(metric, "target") !== undefined);
  setAbsent(spec, cpu === undefined ? {} : { targetCPUUtilizationPercentage: utilizationOf(cpu, "target") });
  delete spec["metrics"];
  delete spec["behavior"];
  putAnnotation(
    object,
    METRICS,
    metrics.filter((metric) => metric !== cpu),
  );
  const status = objectIn(object, "status");
  setAbsent(status, { currentReplicas: 0 });
  const current = objectsIn(status, "currentMetrics").find((metric) => isCpu(metric));
  setAbsent(
    status,
    current === undefined ? {} : { currentCPUUtilizationPercentage: utilizationOf(current, "current") },
  );
  putAnnotation(object, CONDITIONS, objectsIn(status, "conditions"));
  delete status?.["currentMetrics"];
  delete status?.["conditions"];
  return object;
}

function cpuMetric(values: MutableJsonObject): MutableJsonObject {
  return { type: "Resource", resource: { name: "cpu", ...values } };
}

const isCpu = (metric: MutableJsonObject): boolean => objectIn(metric, "resource")?.["name"] === "cpu";

function utilizationOf(metric: MutableJsonObject, field: "target" | "current"): number | undefined {
  return numberIn(objectIn(objectIn(metric, "resource"), field), "averageUtilization");
}

function putAnnotation(object: ApiObject, name: string, values: readonly MutableJsonObject[]): void {
  if (values.length > 0) {
    object.metadata.annotations = { ...object.metadata.annotations, [name]: JSON.stringify(values) };
  }
}

function takeAnnotation(object: ApiObject, name: string): readonly MutableJsonObject[] {
  const { annotations } = object.metadata;
  const text = annotations?.[name];
  if (annotations === undefined || text === undefined) {
    return [];
  }
  const { [name]: _taken, ...rest } = annotations;
  if (Object.keys(rest).length === 0) {
    delete object.metadata.annotations;
  } else {
    object.metadata.annotations = rest;
  }
  return parsedObjects(text);
}

// Unreadable annotations of a user are ignored.
function parsedObjects(text: string): readonly MutableJsonObject[] {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value.filter((item) => isRecord(item)) : [];
  } catch {
    return [];
  }
}

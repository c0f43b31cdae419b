import { isEnabled } from "../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../storage/api-object.ts";
import type { ApiObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty } from "../../fields.ts";
import { nextGeneration } from "../../object-meta.ts";
import { takeConversionAnnotations } from "./autoscaling/autoscaler-conversion.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

/** Rules of NetworkPolicies beyond their schema. */
export const networkPolicyRules: BuiltInRules = {
  generationFields: ["spec"],
  countsEmptyFields: true,
  setDefaults: (policy) => {
    const spec = ensureObject(policy, "spec");
    const rules = [...objectsIn(spec, "ingress"), ...objectsIn(spec, "egress")];
    rules.flatMap((rule) => objectsIn(rule, "ports")).forEach((port) => setAbsent(port, { protocol: "TCP" }));
    setAbsent(spec, { policyTypes: objectsIn(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"] });
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { networkPolicyChecks } = await import("./networking/network-checks.ts");
    return networkPolicyChecks;
  },
};

/** Rules of EndpointSlices beyond their schema. */
export const endpointSliceRules: BuiltInRules = {
  generationFields: ["endpoints", "ports", "addressType"],
  countsLabels: true,
  setDefaults: (slice) => {
    for (const port of objectsIn(slice, "ports")) {
      setAbsent(port, { name: "", protocol: "TCP" });
    }
  },
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate: (slice, old) => {
    // What is dropped counts.
    if (dropTopology(slice)) slice.metadata.generation = nextGeneration(old);
  },
  complete: (slice) => {
    // Empty lists are stored as absent ones.
    for (const field of ["endpoints", "ports"]) if (objectsIn(slice, field).length === 0) slice[field] = null;
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { endpointSliceChecks } = await import("./networking/network-checks.ts");
    return endpointSliceChecks;
  },
};

// The topology of the beta version has no other place; returns whether there was one.
function dropTopology(slice: ApiObject): boolean {
  const endpoints = objectsIn(slice, "endpoints").filter((endpoint) => endpoint["deprecatedTopology"] !== undefined);
  for (const endpoint of endpoints) delete endpoint["deprecatedTopology"];
  return endpoints.length > 0;
}

/** Rules of Endpoints beyond their schema. */
export const endpointsRules: BuiltInRules = {
  allowsCreateOnUpdate: true,
  setDefaults: (endpoints) => {
    const ports = objectsIn(endpoints, "subsets").flatMap((subset) => objectsIn(subset, "ports"));
    ports.forEach((port) => setEmpty(port, { protocol: "TCP" }));
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { endpointsChecks } = await import("./networking/network-checks.ts");
    return endpointsChecks;
  },
  prepareForCreate: (_endpoints, { warn }) => warn(ENDPOINTS_DEPRECATED),
  prepareForUpdate: (_endpoints, _old, { warn }) => warn(ENDPOINTS_DEPRECATED),
};

const ENDPOINTS_DEPRECATED = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

/** Rules of IngressClasses beyond their schema. */
export const ingressClassRules: BuiltInRules = {
  generationFields: ["spec"],
  setDefaults: (ingressClass) =>
    setAbsent(objectIn(objectIn(ingressClass, "spec"), "parameters"), { scope: "Cluster" }),
  checksEveryField: true,
  loadChecks: async () => {
    const { ingressClassErrors } = await import("./networking/address-kinds.ts");
    return { validate: (ingressClass, _context, old) => ingressClassErrors(ingressClass, old) };
  },
};

/** Rules of PodDisruptionBudgets beyond their schema. */
export const podDisruptionBudgetRules: BuiltInRules = {
  nameRule: "path-segment",
  allowsUnconditionalUpdate: false,
  generationFields: ["spec"],
  checksEveryField: true,
  loadChecks: async () => {
    const { disruptionBudgetErrors, disruptionBudgetStatusErrors } =
      await import("./policy/disruption-budget-errors.ts");
    return {
      validate: (budget) => disruptionBudgetErrors(budget),
      validateStatus: (budget) => disruptionBudgetStatusErrors(budget),
    };
  },
};

/** Rules of IPAddresses beyond their schema. */
export const addressRules: BuiltInRules = {
  checksEveryField: true,
  nameRule: "ip-address",
  loadChecks: async () => {
    const { addressErrors } = await import("./networking/address-kinds.ts");
    return { validate: (address, _context, old) => addressErrors(address, old) };
  },
};

/** Rules of ServiceCIDRs beyond their schema. */
export const serviceRangeRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  checksEveryField: true,
  loadChecks: async () => {
    const { serviceRangeErrors } = await import("./networking/address-kinds.ts");
    return { validate: (range, _context, old) => serviceRangeErrors(range, old) };
  },
};

function dropTolerances(autoscaler: ApiObject, old: ApiObject | undefined): void {
  const behaviors = (object: ApiObject | undefined): readonly MutableJsonObject[] => {
    const behavior = objectIn(objectIn(object, "spec"), "behavior");
    return [objectIn(behavior, "scaleUp"), objectIn(behavior, "scaleDown")].filter((each) => each !== undefined);
  };
  if (isEnabled("HPAConfigurableTolerance") || behaviors(old).some((each) => each["tolerance"] !== undefined)) return;
  for (const each of behaviors(autoscaler)) delete each["tolerance"];
}

/** Rules of HorizontalPodAutoscalers of `v2` beyond their schema. */
export const horizontalPodAutoscalerRules: BuiltInRules = {
  setDefaults: (autoscaler) => {
    takeConversionAnnotations(autoscaler);
    const spec = ensureObject(autoscaler, "spec");
    setAbsent(spec, { minReplicas: 1 });
    const hasMetrics = objectsIn(spec, "metrics").length > 0;
    if (!hasMetrics) {
      spec["metrics"] = [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ];
    }
    setBehaviorDefaults(objectIn(spec, "behavior"));
  },
  complete: (autoscaler) => setAbsent(objectIn(autoscaler, "status"), { currentMetrics: null }),
  prepareForCreate: (autoscaler) => {
    autoscaler["status"] = { currentMetrics: null, desiredReplicas: 0 };
    dropTolerances(autoscaler, undefined);
  },
  prepareForUpdate: dropTolerances,
  checksEveryField: true,
  loadChecks: async () => {
    const { autoscalerErrors, autoscalerStatusErrors } = await import("./autoscaling/autoscaler-errors.ts");
    return {
      validate: (autoscaler, _context, old) => autoscalerErrors(autoscaler, old),
      validateStatus: (autoscaler) => autoscalerStatusErrors(autoscaler),
    };
  },
};

/** Completes the behavior of an autoscaler: it has both directions when it has one. */
export function setBehaviorDefaults(behavior: MutableJsonObject | undefined): void {
  if (behavior === undefined) return;
  const percent = { type: "Percent", value: 100, periodSeconds: 15 };
  setAbsent(ensureObject(behavior, "scaleUp"), {
    selectPolicy: "Max",
    stabilizationWindowSeconds: 0,
    policies: [{ type: "Pods", value: 4, periodSeconds: 15 }, percent],
  });
  setAbsent(ensureObject(behavior, "scaleDown"), { selectPolicy: "Max", policies: [percent] });
}

/** Rules of Ingresses beyond their schema. */
export const ingressRules: BuiltInRules = {
  generationFields: ["spec"],
  complete: (ingress) => {
    const spec = objectIn(ingress, "spec");
    const paths = objectsIn(spec, "rules").flatMap((rule) => objectsIn(objectIn(rule, "http"), "paths"));
    const backends = [objectIn(spec, "defaultBackend"), ...paths.map((path) => objectIn(path, "backend"))];
    for (const backend of backends) {
      const resource = objectIn(backend, "resource");
      if (resource !== undefined) resource["apiGroup"] ??= null;
    }
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { ingressChecks } = await import("./networking/ingress-checks.ts");
    return ingressChecks;
  },
};

import type { ApiObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, setAbsent } from "../../fields.ts";
import {
  autoscalerToV1,
  autoscalerToV2,
  CURRENT_METRICS,
  keepConversionAnnotations,
} from "./autoscaling/autoscaler-conversion.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { setBehaviorDefaults } from "./network-rules.ts";

/** Rules of HorizontalPodAutoscalers of `v1` beyond their schema; they are stored as those of `v2`. */
export const autoscalerV1Rules: BuiltInRules = {
  setDefaults: (autoscaler) => {
    setAbsent(ensureObject(autoscaler, "spec"), { minReplicas: 1 });
    Object.assign(autoscaler, readAgain(autoscaler));
  },
  prepareForCreate: (autoscaler) => {
    autoscaler["status"] = { currentReplicas: 0, desiredReplicas: 0 };
    keepConversionAnnotations(autoscaler, undefined, "");
  },
  prepareForUpdate: (autoscaler, old, { subresource, isDryRun }) => {
    keepConversionAnnotations(autoscaler, old, subresource);
    // The object of a dry run is shown without being stored.
    if (isDryRun) autoscaler.metadata = autoscalerToV1(autoscalerToV2(autoscaler)).metadata;
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { autoscalerErrors, autoscalerStatusErrors } = await import("./autoscaling/autoscaler-errors.ts");
    return {
      validate: (autoscaler, _context, old) => autoscalerErrors(autoscalerToV2(autoscaler), old),
      validateStatus: (autoscaler) => autoscalerStatusErrors(autoscaler),
    };
  },
  toStored: (autoscaler) => {
    const stored = autoscalerToV2(autoscaler);
    setBehaviorDefaults(objectIn(objectIn(stored, "spec"), "behavior"));
    return stored;
  },
  fromStored: (stored) => viewOf(stored),
};

// Annotations that cannot be read are dropped, and others printed as a server prints them.
function readAgain(autoscaler: ApiObject): Partial<ApiObject> {
  const { metadata, spec, status } = autoscalerToV1(autoscalerToV2(autoscaler));
  // The annotation of a utilization comes with the stored object.
  if (autoscaler.metadata.annotations?.[CURRENT_METRICS] === undefined) delete metadata.annotations?.[CURRENT_METRICS];
  return { metadata, spec, status };
}

const views = new WeakMap<ApiObject, ApiObject>();

function viewOf(stored: ApiObject): ApiObject {
  let view = views.get(stored);
  if (view === undefined) {
    view = autoscalerToV1(stored);
    views.set(stored, view);
  }
  return view;
}

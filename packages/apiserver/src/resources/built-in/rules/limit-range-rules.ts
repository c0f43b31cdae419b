import type { LimitRange, LimitRangeItem } from "@kubescaffold/k8s/core/v1";

import { objectIn, objectsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

/** Rules of LimitRanges beyond their schema. */
export const limitRangeRules: BuiltInRules = {
  allowsCreateOnUpdate: true,
  setDefaults: (range) => {
    for (const item of itemsOf(range)) if (item.type === "Container") setItemDefaults(item);
  },
  complete: (range) => {
    const spec = objectIn(range, "spec");
    if (spec !== undefined && objectsIn(spec, "limits").length === 0) spec["limits"] = null;
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { limitRangeChecks } = await import("./core/limit-range-checks.ts");
    return limitRangeChecks;
  },
};

type MutableItem = { -readonly [Name in keyof LimitRangeItem]: LimitRangeItem[Name] };

function itemsOf({ spec }: LimitRange): MutableItem[] {
  return spec?.limits ?? [];
}

// A maximum is the default limit, which is the default request; so is a minimum.
function setItemDefaults(item: MutableItem): void {
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

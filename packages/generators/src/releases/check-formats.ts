import { minorNumber } from "@kubescaffold/k8s";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";
import { warningOf } from "./lacking.ts";

/**
 * The formats of strings that API servers check only since a minor version; older ones accept every value, and warn of the CRD.
 *
 * An API server checks the formats that the former minor version has, so that it can be rolled back: these are in Kubernetes since 1.34.
 */
export const FORMATS_SINCE: Readonly<Record<string, string>> = { "k8s-long-name": "1.35", "k8s-short-name": "1.35" };

/** Finds formats of markers that one of the minor versions does not check. */
export function checkFormats({ types, properties }: MarkedModel, minors: readonly string[]): readonly Diagnostic[] {
  const markers: readonly MarkerUse[] = [...types.values(), ...properties.values()].flat();
  return markers.flatMap(({ name, value, location }) => {
    const format = FORMAT_MARKER.test(name) && typeof value === "string" ? value : "";
    const since = FORMATS_SINCE[format];
    if (since === undefined) return [];
    const presence = minors.map((minor) => [minor, minorNumber(minor) >= minorNumber(since)] as const);
    const what = `check of the format ${format}`;
    const warning = warningOf({ code: "KUBERNETES_LACKS_FORMAT", what, location }, presence);
    return warning === undefined ? [] : [warning];
  });
}

const FORMAT_MARKER = /^(?:kubebuilder:validation:(?:items:)?Format|k8s:format)$/u;

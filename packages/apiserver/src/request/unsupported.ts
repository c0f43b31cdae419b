import { notImplemented } from "./failures.ts";

/** What real API servers do and the embedded one does not do yet; a request that needs it is answered with 501. */
export const UNSUPPORTED = {
  "admission-policies": "admission policies (bindings of ValidatingAdmissionPolicy and MutatingAdmissionPolicy)",
  "match-conditions": "match conditions of webhooks (matchConditions)",
  "bound-tokens": "tokens that are bound to an object (spec.boundObjectRef of a TokenRequest)",
  "pod-streams": "streams of pods (log, exec, attach, portforward, proxy)",
  "watch-websocket": "watches over WebSocket",
  "api-services": "aggregated API servers (APIService with a service)",
  "virtual-resource": "this resource, which has no storage and no handler",
} as const;

/** Names one thing that is not built. */
export type UnsupportedFeature = keyof typeof UNSUPPORTED;

/** Answers with 501 and a status that names what is not built. */
export function throwNotBuilt(feature: UnsupportedFeature): never {
  throw notImplemented(UNSUPPORTED[feature]);
}

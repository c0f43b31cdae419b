import type { AdmissionAttributes } from "../pipeline/extension-points.ts";

/** Returns the object of a write as webhooks and expressions see it: the options of a connection have no metadata. */
export function reviewedObject({ object, operation }: AdmissionAttributes): object | undefined {
  if (object === undefined || operation !== "CONNECT") return object;
  const { metadata: _, ...options } = object;
  return options;
}

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden } from "../../request/failures.ts";

/** A write of a kubelet. */
export interface NodeWrite {
  readonly context: ServerContext;
  readonly attributes: AdmissionAttributes;
  /** The name of its node. */
  readonly node: string;
}

/** Creates the 403 failure of a write that a kubelet may not make. */
export function nodeRefusal({ resource, name }: AdmissionAttributes, message: string): Error {
  return forbidden({ groupResource: resource, name }, message);
}

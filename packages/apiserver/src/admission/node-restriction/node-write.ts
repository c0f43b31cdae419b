import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";

/** A write of a kubelet. */
export interface NodeWrite {
  readonly context: ServerContext;
  readonly attributes: AdmissionAttributes;
  /** The name of its node. */
  readonly node: string;
}

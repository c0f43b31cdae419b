import { type DeepReadonly, setCondition } from "@kubescaffold/k8s";
import type { Condition } from "@kubescaffold/k8s/meta/v1";

import type { NamespacePlus } from "../../api/v1/namespaceplus_types.ts";

/** The content of the "Ready" condition. */
export type Verdict =
  | { readonly status: "True"; readonly reason: "AsSpecified"; readonly message: string }
  | {
      readonly status: "False";
      readonly reason: "Forbidden" | "NamespaceTaken" | "NamespaceTerminating" | "Refused";
      readonly message: string;
    };

/** Returns the conditions with the condition of a verdict. Its transition time changes only with its status. */
export function withVerdict(
  { status, metadata }: DeepReadonly<NamespacePlus>,
  verdict: Verdict,
  now: Date,
): Condition[] {
  const condition = { type: "Ready", ...verdict, observedGeneration: metadata.generation };
  return setCondition(status?.conditions, condition, now).conditions;
}

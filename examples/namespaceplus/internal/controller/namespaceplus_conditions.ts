import type { Condition } from "@kubescaffold/k8s/meta/v1";

import type { NamespacePlus } from "../../api/v1/namespaceplus_types.ts";

/** What the condition "Ready" says. */
export type Verdict =
  | { readonly status: "True"; readonly reason: "AsSpecified"; readonly message: string }
  | {
      readonly status: "False";
      readonly reason: "Forbidden" | "NamespaceTaken" | "NamespaceTerminating" | "Refused";
      readonly message: string;
    };

/** Returns the condition for a verdict; its time changes only together with its status. */
export function readyCondition(owner: NamespacePlus, verdict: Verdict, now: Date): Condition {
  const former = owner.status?.conditions?.find(({ type }) => type === "Ready");
  return {
    type: "Ready",
    ...verdict,
    observedGeneration: owner.metadata.generation ?? 0,
    lastTransitionTime:
      former?.status === verdict.status ? former.lastTransitionTime : `${now.toISOString().slice(0, 19)}Z`,
  };
}

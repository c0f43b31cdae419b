import { deepEqual } from "@kubescaffold/schema";

import type { Json } from "../conformance/row.ts";
import type { VariedRequest } from "./random-requests.ts";
import type { Outcome } from "./validated-server.ts";

/** A difference that is accepted, with its reason. */
interface ListedDifference {
  readonly reason: string;
  readonly matches: (pair: ComparedOutcomes) => boolean;
}

interface ComparedOutcomes {
  readonly request: VariedRequest;
  readonly embedded: Outcome;
  readonly kubernetes: Outcome;
}

const LISTED: readonly ListedDifference[] = [
  {
    reason: "kube-apiserver panics, and closes the connection",
    matches: ({ embedded, kubernetes }) => kubernetes.status === 0 && embedded.status !== 0 && embedded.status !== 500,
  },
  {
    reason: "kube-apiserver names the Go types of texts in messages about values of other types",
    matches: ({ embedded, kubernetes }) =>
      embedded.status === 400 &&
      kubernetes.status === 400 &&
      withoutType(embedded.body) === withoutType(kubernetes.body),
  },
  {
    reason: "HorizontalPodAutoscalers of v1 have no annotation with their current metrics",
    matches: ({ request, embedded, kubernetes }) =>
      request.base.kind === "HorizontalPodAutoscaler.autoscaling" &&
      deepEqual(withoutMetrics(embedded), withoutMetrics(kubernetes)),
  },
];

/** Reports whether a difference is one that is accepted. */
export function isListed(pair: ComparedOutcomes): boolean {
  return LISTED.some(({ matches }) => matches(pair));
}

const withoutType = ({ message }: Json): string => String(message).replace(/of type (?:string|v1\.\w+)$/u, "");

const CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";

function withoutMetrics({ status, body }: Outcome): Outcome {
  const metadata = body["metadata"] as Json | undefined;
  const { [CURRENT_METRICS]: _metrics, ...annotations } = (metadata?.["annotations"] ?? {}) as Json;
  return { status, body: { ...body, metadata: { ...metadata, annotations } } };
}

import type { Release } from "../release/release.ts";

/** How many items a container may have, by its type. */
export interface CborLimits {
  readonly array: number;
  readonly map: number;
}

/** The limits since Kubernetes 1.36, which the size of a request reaches first. */
export const LIMITS: CborLimits = { array: 2 ** 31 - 1, map: 2 ** 21 };

const LIMITS_BEFORE_1_36: CborLimits = { array: 1024, map: 1024 };

/** Returns the limits of the servers of a version. Source: `k8s.io/apimachinery/pkg/runtime/serializer/cbor/internal/modes`. */
export function cborLimitsOf(release: Pick<Release, "since">): CborLimits {
  return release.since("1.36") ? LIMITS : LIMITS_BEFORE_1_36;
}

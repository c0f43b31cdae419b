import type { EndpointSubset } from "@kubescaffold/k8s/core/v1";

/** The annotation of Endpoints that lack addresses. */
export const OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";

const MOST_ADDRESSES = 1000;

/** Returns at most 1000 addresses of subsets, ready ones first, from each subset in proportion; the subsets themselves if they have no more. */
export function limitAddresses(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const readyCount = countOf(subsets, "addresses");
  const notReadyCount = countOf(subsets, "notReadyAddresses");
  if (readyCount + notReadyCount <= MOST_ADDRESSES) return subsets;
  const list = readyCount > MOST_ADDRESSES ? "addresses" : "notReadyAddresses";
  const [total, most] =
    list === "addresses" ? [readyCount, MOST_ADDRESSES] : [notReadyCount, MOST_ADDRESSES - readyCount];
  let left = most;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ...subset }) => {
    const all = list === "addresses" ? addresses : notReadyAddresses;
    const limited = all.slice(0, Math.min(left, Math.ceil((all.length / total) * most)));
    left -= limited.length;
    const ready = list === "addresses" ? limited : addresses;
    const notReady = list === "addresses" ? [] : limited;
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...subset,
    };
  });
}

function countOf(subsets: readonly EndpointSubset[], list: "addresses" | "notReadyAddresses"): number {
  return subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0);
}

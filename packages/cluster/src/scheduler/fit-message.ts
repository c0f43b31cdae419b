/** Returns the message of kube-scheduler for nodes that a pod does not fit, with the number of each reason. */
export function unavailableNodes(total: number, reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return `${headline(total)}${counts.size === 0 ? "" : ` ${histogram(counts)}.`}`;
}

/** Returns the message for pods that no node can run, regardless of which. */
export function unavailableFor(total: number, reason: string): string {
  return `${headline(total)} ${reason}.`;
}

function headline(total: number): string {
  return `0/${String(total)} nodes are available:`;
}

function histogram(counts: ReadonlyMap<string, number>): string {
  return Array.from(counts, ([reason, count]) => `${String(count)} ${reason}`)
    .toSorted((left, right) => (left < right ? -1 : 1))
    .join(", ");
}

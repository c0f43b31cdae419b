import { addressFamily, addressNumber, familyOf, type IpFamily } from "@kubescaffold/apiserver/cluster-api";
import type { Node, Pod } from "@kubescaffold/k8s/core/v1";

import { internalAddresses } from "./pod-status.ts";

// Pods have the same number in both families.
const PREFIXES = { IPv4: "10.244.", IPv6: "fd00:10:244::" } as const;
const FIRST = 2;

/** The addresses of simulated Pods: one of each family of the cluster, with the default one first. */
export class PodAddresses {
  readonly #families: readonly IpFamily[];
  // By the uid of the Pod.
  readonly #numbers = new Map<string, number>();

  constructor(families: readonly IpFamily[]) {
    this.#families = families;
  }

  /** Returns the addresses of a Pod: those of its status, those of its node, or new ones. */
  of({ metadata, status, spec }: Pod, node: Node): readonly string[] {
    const known = (status?.podIPs ?? []).map(({ ip }) => ip);
    if (known.length > 0) return known;
    if (status?.podIP !== undefined) return [status.podIP];
    if (spec?.hostNetwork === true) return this.ofHost(node);
    const uid = metadata.uid ?? "";
    const number = this.#numbers.get(uid) ?? this.#nextFree();
    this.#numbers.set(uid, number);
    return this.#families.map((family) => addressOf(number, family));
  }

  /** Returns the addresses of a node in the order of the families of the cluster. */
  ofHost(node: Node): readonly string[] {
    const addresses = internalAddresses(node);
    const [first] = addresses;
    const ordered = this.#families.flatMap((family) => addresses.find((each) => familyOf(each) === family) ?? []);
    return ordered.length > 0 ? ordered : first === undefined ? [] : [first];
  }

  /** Takes back the addresses of a deleted Pod. */
  release(uid: string): void {
    this.#numbers.delete(uid);
  }

  /** Notes the addresses of Pods that were stored before the server started. */
  remember(pods: readonly Pod[]): void {
    this.#numbers.clear();
    for (const { metadata, status, spec } of pods) {
      const address = status?.podIP ?? "";
      if (spec?.hostNetwork === true || addressFamily(address) === 0) continue;
      this.#numbers.set(metadata.uid ?? "", Number(addressNumber(address) & 0xffffn));
    }
  }

  #nextFree(): number {
    const used = new Set(this.#numbers.values());
    let number = FIRST;
    while (used.has(number)) number += 1;
    return number;
  }
}

function addressOf(number: number, family: IpFamily): string {
  return family === "IPv4"
    ? `${PREFIXES.IPv4}${String(number >> 8)}.${String(number & 255)}`
    : `${PREFIXES.IPv6}${number.toString(16)}`;
}

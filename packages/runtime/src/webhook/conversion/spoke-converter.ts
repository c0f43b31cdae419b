import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Converts between one version of a kind, a spoke, and the version that all others are converted through, the hub.
 *
 * Both ways must be pure and lose nothing: what the other version has no field for is kept in an annotation. Of the metadata only
 * labels and annotations are taken from the result, since servers refuse any other change of it.
 *
 * @example
 * export const guestbookConverter: SpokeConverter<Hub, Guestbook> = {
 *   spoke: Guestbook,
 *   convertTo: ({ metadata, spec }) => Hub.create({ metadata, spec: { size: spec.replicas } }),
 *   convertFrom: ({ metadata, spec }) => Guestbook.create({ metadata, spec: { replicas: spec.size } }),
 * };
 */
export interface SpokeConverter<Hub extends KubernetesObject, Spoke extends KubernetesObject = KubernetesObject> {
  /** The kind of the spoke: of the hub's group and name, in another version. */
  readonly spoke: GroupVersionKind;
  /** Returns an object of the spoke as one of the hub. */
  convertTo(spoke: Spoke): Hub;
  /** Returns an object of the hub as one of the spoke. */
  convertFrom(hub: Hub): Spoke;
}

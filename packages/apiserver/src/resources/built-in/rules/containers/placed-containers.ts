import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectsIn } from "../../../fields.ts";

/** The start of annotations with the AppArmor profile of a container. */
export const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
/** The annotation with the seccomp profile of a Pod. */
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
/** The start of annotations with the seccomp profile of a container. */
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

/** A container, and the path of its field. */
export interface PlacedContainer {
  readonly container: MutableJsonObject;
  readonly path: string;
}

/** Returns the containers of all kinds, with the paths of their fields. */
export function containersOf(spec: MutableJsonObject, at: string): readonly PlacedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objectsIn(spec, list).map((container, index) => ({ container, path: `${at}.${list}[${index}]` })),
  );
}

import { numberOf } from "@kubescaffold/apiserver/cluster-api";
import type { Container, Pod } from "@kubescaffold/k8s/core/v1";

import { ContainerConfigError } from "./files/volume-files.ts";

const LARGEST_UID = 2_147_483_647;

/**
 * Checks that a container with `runAsNonRoot` does not run as root, as far as the user of its image is known.
 *
 * Fails: {@link ContainerConfigError} with the message of a kubelet.
 */
export function checkNonRoot(container: Container, pod: Pod, imageUser: string | undefined): void {
  const { runAsNonRoot, runAsUser } = { ...pod.spec?.securityContext, ...stated(container.securityContext ?? {}) };
  if (runAsNonRoot !== true) return;
  const problem = runAsUser === undefined ? problemOf(imageUser) : isRoot(numberOf(runAsUser)) ? BREAKS : undefined;
  if (problem === undefined) return;
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  throw new ContainerConfigError(`${problem} (pod: "${name}_${namespace}(${uid})", container: ${container.name})`);
}

const BREAKS = "container's runAsUser breaks non-root policy";

function problemOf(imageUser: string | undefined): string | undefined {
  const [user = ""] = (imageUser ?? "").split(":");
  if (user === "") return imageUser === undefined ? undefined : AS_ROOT;
  if (!/^\d+$/u.test(user))
    return `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root`;
  const uid = Number(user);
  if (isRoot(uid)) return AS_ROOT;
  if (uid <= LARGEST_UID) return undefined;
  const range = `must be between 0 and ${String(LARGEST_UID)}, inclusive`;
  return `container has runAsNonRoot and image has an invalid user id (${user}). (Must be 1-(${String(LARGEST_UID)})): ${range}`;
}

const AS_ROOT = "container has runAsNonRoot and image will run as root";

function isRoot(uid: number): boolean {
  return uid === 0;
}

// A field of the container precedes that of its Pod only if it has a value.
function stated<T extends object>(context: T): Partial<T> {
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined && value !== null)) as T;
}

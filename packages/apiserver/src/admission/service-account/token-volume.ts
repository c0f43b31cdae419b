import type { Container, PodSpec, Volume } from "@kubescaffold/k8s/core/v1";

const NAME_PREFIX = "kube-api-access-";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
// Kubelets renew the token in time; clients that do not are only warned.
const WARN_ONLY_SECONDS = 3607;

/** Returns a Pod spec whose containers mount a token of its service account, unless they mount something else there. */
export function withTokenVolume(spec: PodSpec, newSuffix: () => string): PodSpec {
  const present = spec.volumes?.find(({ name }) => name.startsWith(NAME_PREFIX))?.name;
  const name = present ?? `${NAME_PREFIX}${newSuffix()}`;
  const all = [...(spec.initContainers ?? []), ...spec.containers];
  if (all.every(mountsOther)) return spec;
  return {
    ...spec,
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: spec.initContainers.map((container) => withMount(container, name)) }),
    containers: spec.containers.map((container) => withMount(container, name)),
    volumes: [...(spec.volumes ?? []), ...(present === undefined ? [tokenVolume(name)] : [])],
  };
}

function mountsOther({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH);
}

function withMount(container: Container, name: string): Container {
  if (mountsOther(container)) return container;
  const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
}

function tokenVolume(name: string): Volume {
  const namespace = { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } };
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { path: "token", expirationSeconds: WARN_ONLY_SECONDS } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        { downwardAPI: { items: [namespace] } },
      ],
    },
  };
}

import type { Container, Volume } from "@kubescaffold/k8s/core/v1";

import { procMount, seccompProfile, unlessUserNamespace } from "./baseline-checks.ts";
import {
  containersOf,
  containerText,
  distinct,
  namesOf,
  plural,
  type PodCheck,
  quoted,
  settersText,
  type VersionedCheck,
} from "./check.ts";

const privilegeEscalation: PodCheck = ({ spec }) => {
  const containers = namesOf(spec, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (containers.length === 0) return undefined;
  const detail = `${containerText(containers)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: "allowPrivilegeEscalation != false", detail };
};

const capabilities: PodCheck = ({ spec }) => {
  const addedBy = ({ securityContext }: Container): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const keeping = namesOf(spec, (each) => each.securityContext?.capabilities?.drop?.includes("ALL") !== true);
  const adding = namesOf(spec, (container) => addedBy(container).length > 0);
  const added = distinct(containersOf(spec).flatMap((container) => addedBy(container)));
  const details = [
    ...(keeping.length === 0 ? [] : [`${containerText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [`${containerText(adding)} must not include ${quoted(added)} in securityContext.capabilities.add`]),
  ];
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

// Windows has neither privilege escalation nor capabilities and seccomp.
function unlessWindows(check: PodCheck): PodCheck {
  return (pod) => (pod.spec.os?.name === "windows" ? undefined : check(pod));
}

const ALLOWED_VOLUMES =
  "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret".split(" ");
const RESTRICTED_VOLUMES =
  "hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs flocker fc azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos".split(
    " ",
  );

const volumeTypes: PodCheck = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => sourceOf(volume, ALLOWED_VOLUMES) === undefined);
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => name);
  const types = distinct(bad.map((volume) => sourceOf(volume, RESTRICTED_VOLUMES) ?? "unknown"));
  const uses = `${plural(names, "uses", "use")} ${plural(types, "restricted volume type", "restricted volume types")}`;
  return {
    reason: "restricted volume types",
    detail: `${plural(names, "volume", "volumes")} ${quoted(names)} ${uses} ${quoted(types)}`,
  };
};

function sourceOf(volume: Volume, sources: readonly string[]): string | undefined {
  const fields = volume as unknown as Readonly<Record<string, unknown>>;
  return sources.find((source) => fields[source] !== undefined);
}

const runAsNonRoot: PodCheck = ({ spec }) => {
  const ofPod = spec.securityContext?.runAsNonRoot;
  const rootOf = ({ securityContext }: Container): boolean | undefined => securityContext?.runAsNonRoot;
  const explicit = namesOf(spec, (container) => rootOf(container) === false);
  const reason = "runAsNonRoot != true";
  if (ofPod === false || explicit.length > 0) {
    return {
      reason,
      detail: `${settersText(ofPod === false, explicit)} must not set securityContext.runAsNonRoot=false`,
    };
  }
  const implicit = ofPod === true ? [] : namesOf(spec, (container) => rootOf(container) === undefined);
  return implicit.length === 0
    ? undefined
    : { reason, detail: `pod or ${containerText(implicit)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: PodCheck = ({ spec }) => {
  const isPod = spec.securityContext?.runAsUser === 0;
  const containers = namesOf(spec, ({ securityContext }) => securityContext?.runAsUser === 0);
  return !isPod && containers.length === 0
    ? undefined
    : { reason: "runAsUser=0", detail: `${settersText(isPod, containers)} must not set runAsUser=0` };
};

const requiredSeccomp: PodCheck = (pod) => {
  const explicit = seccompProfile(pod);
  if (explicit !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return explicit;
  const implicit = namesOf(pod.spec, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (implicit.length === 0) return undefined;
  const wanted = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: "seccompProfile", detail: `pod or ${containerText(implicit)} ${wanted}` };
};

/** The checks of the level `restricted` beyond those of `baseline`, in the order of their violations in messages. */
export const RESTRICTED_CHECKS: readonly VersionedCheck[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      { since: 8, check: privilegeEscalation },
      { since: 25, check: unlessWindows(privilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    versions: [
      { since: 22, check: capabilities, replaces: ["capabilities_baseline"] },
      { since: 25, check: unlessWindows(capabilities), replaces: ["capabilities_baseline"] },
    ],
  },
  { id: "procMount_restricted", versions: [{ since: 35, check: procMount, replaces: ["procMount"] }] },
  { id: "restrictedVolumes", versions: [{ since: 0, check: volumeTypes, replaces: ["hostPathVolumes"] }] },
  {
    id: "runAsNonRoot",
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: unlessUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    versions: [
      { since: 23, check: runAsUser },
      { since: 35, check: unlessUserNamespace(runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    versions: [
      { since: 19, check: requiredSeccomp, replaces: ["seccompProfile_baseline"] },
      { since: 25, check: unlessWindows(requiredSeccomp), replaces: ["seccompProfile_baseline"] },
    ],
  },
];

import { deepEqual } from "@kubescaffold/schema/values";

import { isEnabled } from "../../../../release/rule-release.ts";
import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { claimSpecWarnings } from "./amount-warnings.ts";
import { nodeSelectorWarnings, nodeTermWarnings, plainLabelWarning } from "./node-label-warnings.ts";
import { sourceWarnings } from "./volume-warnings.ts";

const OLD_CLASS = "volume.beta.kubernetes.io/storage-class";
const OLD_OPTIONS = "volume.beta.kubernetes.io/mount-options";

function annotationWarning({ metadata }: ApiObject, key: string, advice: string): readonly string[] {
  return metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${advice}`];
}

function classWarning(object: ApiObject): readonly string[] {
  return annotationWarning(object, OLD_CLASS, 'deprecated since v1.8; use "storageClassName" attribute instead');
}

/** Returns the warnings about a PersistentVolumeClaim. */
export function claimWarnings(claim: ApiObject): readonly string[] {
  return [...classWarning(claim), ...claimSpecWarnings(objectIn(claim, "spec"), "spec")];
}

/** Returns the warnings about a PersistentVolume. */
export function volumeObjectWarnings(volume: ApiObject): readonly string[] {
  const spec = objectIn(volume, "spec") ?? {};
  const required = objectIn(objectIn(spec, "nodeAffinity"), "required");
  return [
    ...classWarning(volume),
    ...annotationWarning(volume, OLD_OPTIONS, 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(textIn(spec, "persistentVolumeReclaimPolicy") === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...objectsIn(required, "nodeSelectorTerms").flatMap((term, index) =>
      nodeTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, { isPreference: false }),
    ),
    ...sourceWarnings(spec, "spec", ["cephfs", "photonPersistentDisk", "scaleIO", "storageos", "glusterfs", "rbd"]),
  ];
}

/** Returns the warnings about a StorageClass. */
export function storageClassWarnings(storageClass: ApiObject): readonly string[] {
  return objectsIn(storageClass, "allowedTopologies").flatMap((topology, index) =>
    objectsIn(topology, "matchLabelExpressions").flatMap((expression, position) =>
      plainLabelWarning(
        `allowedTopologies[${index}].matchLabelExpressions[${position}].key`,
        textIn(expression, "key"),
      ),
    ),
  );
}

/** Returns the warnings about a CSIStorageCapacity. */
export function storageCapacityWarnings(capacity: ApiObject): readonly string[] {
  return nodeSelectorWarnings(objectIn(capacity, "nodeTopology"), "nodeTopology");
}

const TOKENS_IN_ATTRIBUTES =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

/** Returns the warnings about a CSIDriver, and about a change only if it changes the requests for tokens. */
export function csiDriverWarnings(driver: ApiObject, old: ApiObject | undefined): readonly string[] {
  const [spec, before] = [driver, old].map((each) => objectIn(each, "spec"));
  const requests = objectsIn(spec, "tokenRequests");
  if (!isEnabled("CSIServiceAccountTokenSecrets")) return [];
  if (requests.length === 0 || spec?.["serviceAccountTokenInSecrets"] !== undefined) return [];
  const isSame = old !== undefined && deepEqual(requests, objectsIn(before, "tokenRequests"));
  return isSame ? [] : [TOKENS_IN_ATTRIBUTES];
}

import { BOOL, type CelType, DYN, INT, listOf, mapOf, STRING, structType, TIMESTAMP } from "../values/cel-type.ts";

/** The type of `request`. */
export const REQUEST: CelType = structType("kubernetes.AdmissionRequest");
/** The type of `namespaceObject`. */
export const NAMESPACE: CelType = structType("kubernetes.Namespace");
/** The type of `variables`, whose fields a policy declares. */
export const VARIABLES: CelType = structType("kubernetes.variables");

const KIND = structType("kubernetes.GroupVersionKind");
const RESOURCE = structType("kubernetes.GroupVersionResource");
const USER_INFO = structType("kubernetes.UserInfo");
const NAMESPACE_METADATA = structType("kubernetes.NamespaceMetadata");
const NAMESPACE_SPEC = structType("kubernetes.NamespaceSpec");
const NAMESPACE_STATUS = structType("kubernetes.NamespaceStatus");
const NAMESPACE_CONDITION = structType("kubernetes.NamespaceCondition");

/** The fields of the types above, as the checker of kube-apiserver declares them. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, CelType>>>> = {
  [KIND.name]: { group: STRING, version: STRING, kind: STRING },
  [RESOURCE.name]: { group: STRING, version: STRING, resource: STRING },
  [USER_INFO.name]: {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  },
  [REQUEST.name]: {
    kind: KIND,
    resource: RESOURCE,
    subResource: STRING,
    requestKind: KIND,
    requestResource: RESOURCE,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: USER_INFO,
    dryRun: BOOL,
    options: DYN,
  },
  [NAMESPACE.name]: { metadata: NAMESPACE_METADATA, spec: NAMESPACE_SPEC, status: NAMESPACE_STATUS },
  [NAMESPACE_SPEC.name]: { finalizers: listOf(STRING) },
  [NAMESPACE_STATUS.name]: { conditions: listOf(NAMESPACE_CONDITION), phase: STRING },
  [NAMESPACE_CONDITION.name]: {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  },
  [NAMESPACE_METADATA.name]: {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    // The values have it as `uid`, so upstream's name never finds it.
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  },
};

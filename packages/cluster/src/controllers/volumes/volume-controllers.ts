import {
  type Controller,
  defineController,
  EVENT_RULE,
  type ObjectDemand,
  serviceAccountUser,
} from "@kubescaffold/apiserver/cluster-api";

import { PODS } from "../workload/workload-objects.ts";
import { wantsExpansion } from "./claim-size.ts";
import { ATTRIBUTES_CLASSES, CLAIMS, hasEphemeralVolumes, PERSISTENT_VOLUMES } from "./volume-resources.ts";

const VOLUME_BINDER = "persistent-volume-binder";
const CLAIMS_AND_VOLUMES: ObjectDemand = { resources: [CLAIMS, PERSISTENT_VOLUMES] };
const PODS_WITH_EPHEMERAL_VOLUMES: ObjectDemand = {
  resources: [PODS],
  isNeededBy: (object) => hasEphemeralVolumes(object),
};
const EXPANDING_CLAIMS: ObjectDemand = { resources: [CLAIMS], isNeededBy: (object) => wantsExpansion(object) };

/** The controllers that bind volumes to claims, create the claims of ephemeral volumes, expand volumes, and keep what is used. */
export const VOLUME_CONTROLLERS: readonly Controller[] = [
  defineController({
    name: VOLUME_BINDER,
    rules: [
      {
        apiGroups: [""],
        resources: ["persistentvolumes"],
        verbs: ["create", "delete", "get", "list", "update", "watch"],
      },
      { apiGroups: [""], resources: ["persistentvolumes/status"], verbs: ["update"] },
      { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "update", "watch"] },
      { apiGroups: [""], resources: ["persistentvolumeclaims/status"], verbs: ["update"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "list", "watch"] },
      { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"] },
      EVENT_RULE,
      { apiGroups: [""], resources: ["events"], verbs: ["watch"] },
      { apiGroups: [""], resources: ["services"], verbs: ["get"] },
    ],
    demand: CLAIMS_AND_VOLUMES,
    load: () => import("./volume-binder.ts"),
  }),
  defineController({
    name: "ephemeral-volume-controller",
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["pods/finalizers"], verbs: ["update"] },
      { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["create", "get", "list", "watch"] },
      EVENT_RULE,
    ],
    demand: PODS_WITH_EPHEMERAL_VOLUMES,
    load: () => import("./ephemeral-volumes.ts"),
  }),
  defineController({
    name: "expand-controller",
    rules: [
      { apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "list", "patch", "update", "watch"] },
      { apiGroups: [""], resources: ["persistentvolumeclaims/status"], verbs: ["patch", "update"] },
      { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "watch"] },
      EVENT_RULE,
      { apiGroups: [""], resources: ["services"], verbs: ["get"] },
    ],
    demand: EXPANDING_CLAIMS,
    load: () => import("./volume-expansion.ts"),
  }),
  defineController({
    name: "pv-protection-controller",
    rules: [
      { apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "list", "update", "watch"] },
      EVENT_RULE,
    ],
    demand: { resources: [PERSISTENT_VOLUMES] },
    load: () => import("./volume-protection.ts"),
  }),
  defineController({
    name: "volumeattributesclass-protection-controller",
    rules: [
      { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "list", "watch"] },
      {
        apiGroups: ["storage.k8s.io"],
        resources: ["volumeattributesclasses"],
        verbs: ["get", "list", "update", "watch"],
      },
      EVENT_RULE,
    ],
    demand: { resources: [ATTRIBUTES_CLASSES] },
    load: () => import("./attributes-class-protection.ts"),
  }),
  defineController({
    name: "pvc-protection-controller",
    rules: [
      { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "update", "watch"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
      EVENT_RULE,
    ],
    demand: { resources: [CLAIMS] },
    load: () => import("./claim-protection.ts"),
  }),
];

/** The simulated provisioner and resizer, which have the permissions of the binder. */
export const SIMULATED_VOLUME_DRIVERS: readonly Controller[] = [
  defineController({
    name: "simulated-volume-provisioner",
    user: serviceAccountUser(VOLUME_BINDER),
    demand: CLAIMS_AND_VOLUMES,
    load: () => import("./volume-provisioner.ts"),
  }),
  defineController({
    name: "simulated-volume-resizer",
    user: serviceAccountUser(VOLUME_BINDER),
    demand: EXPANDING_CLAIMS,
    load: () => import("./volume-resizer.ts"),
  }),
];

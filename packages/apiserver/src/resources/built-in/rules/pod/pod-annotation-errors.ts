import { type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textOf } from "../../../fields.ts";
import { descendingPath } from "../checks/field-checks.ts";
import { APP_ARMOR, containersOf, SECCOMP_CONTAINER, SECCOMP_POD } from "../containers/placed-containers.ts";

/** The annotation of Pods that a kubelet started from a file. */
export const MIRROR = "kubernetes.io/config.mirror";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

/** Returns what is wrong with the annotations of a Pod that mean something. */
export function podAnnotationErrors(
  annotations: MutableJsonObject | undefined,
  spec: MutableJsonObject,
  at: string,
): readonly FieldError[] {
  const mirror = annotations?.[MIRROR];
  const cost = annotations?.[DELETION_COST];
  return [
    ...(mirror !== undefined && textIn(spec, "nodeName") === ""
      ? [invalidField(`${at}[${MIRROR}]`, mirror, "must set spec.nodeName if mirror pod annotation is set")]
      : []),
    ...(cost !== undefined && !isInt32(textOf(cost))
      ? [invalidField(`${at}[${DELETION_COST}]`, cost, "must be a 32bit integer")]
      : []),
    ...Object.entries(annotations ?? {}).flatMap(([key, value]) => profileErrors(key, textOf(value), spec, at)),
  ];
}

function isInt32(text: string): boolean {
  // Zero and positive numbers have no sign, and no leading zeros.
  return /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function profileErrors(key: string, value: string, spec: MutableJsonObject, at: string): readonly FieldError[] {
  if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) return seccompErrors(value, `${at}.${key}`);
  if (!key.startsWith(APP_ARMOR)) return [];
  const container = key.slice(APP_ARMOR.length);
  const isKnown = containersOf(spec, "").some(({ container: each }) => textIn(each, "name") === container);
  const isProfile =
    value === "" || value === "runtime/default" || value === "unconfined" || value.startsWith("localhost/");
  return [
    ...(isKnown ? [] : [invalidField(`${at}[${key}]`, container, "container not found")]),
    ...(isProfile
      ? []
      : [invalidField(`${at}[${key}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`)]),
  ];
}

function seccompErrors(profile: string, field: string): readonly FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  return profile.startsWith("localhost/")
    ? descendingPath(field, profile.slice("localhost/".length))
    : [invalidField(field, profile, "must be a valid seccomp profile")];
}

/** Returns an error for each profile that an annotation and a field state differently. */
export function profileConflicts(
  annotations: MutableJsonObject | undefined,
  spec: MutableJsonObject,
  at: string,
): readonly FieldError[] {
  const context = objectIn(spec, "securityContext");
  const containers = containersOf(spec, at);
  return [
    ...conflict(
      annotations?.[SECCOMP_POD],
      objectIn(context, "seccompProfile"),
      `${at}.securityContext.seccompProfile`,
      SECCOMP,
    ),
    ...containers.flatMap(({ container, path }) => {
      const profile = objectIn(objectIn(container, "securityContext"), "seccompProfile");
      const annotation = annotations?.[`${SECCOMP_CONTAINER}${textIn(container, "name")}`];
      return conflict(annotation, profile, `${path}.securityContext.seccompProfile`, SECCOMP);
    }),
    ...(textIn(objectIn(spec, "os"), "name") === "windows" ? [] : containers).flatMap(({ container, path }) => {
      const own = objectIn(objectIn(container, "securityContext"), "appArmorProfile");
      const annotation = annotations?.[`${APP_ARMOR}${textIn(container, "name")}`];
      const profile = own ?? objectIn(context, "appArmorProfile");
      return conflict(annotation, profile, `${path}.securityContext.appArmorProfile`, APP_ARMOR_VALUES);
    }),
  ];
}

interface ProfileValues {
  readonly title: string;
  readonly defaults: readonly string[];
}

const SECCOMP: ProfileValues = { title: "seccomp", defaults: ["runtime/default", "docker/default"] };
const APP_ARMOR_VALUES: ProfileValues = { title: "apparmor", defaults: ["runtime/default"] };

function conflict(
  annotation: unknown,
  profile: MutableJsonObject | undefined,
  at: string,
  { title, defaults }: ProfileValues,
): readonly FieldError[] {
  if (profile === undefined || typeof annotation !== "string") return [];
  const types = [forbiddenField(`${at}.type`, `${title} type in annotation and field must match`)];
  switch (profile["type"]) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : types;
    case "RuntimeDefault":
      return defaults.includes(annotation) ? [] : types;
    case "Localhost":
      if (!annotation.startsWith("localhost/")) return types;
      return annotation.slice("localhost/".length) === profile["localhostProfile"]
        ? []
        : [forbiddenField(`${at}.localhostProfile`, `${title} profile in annotation and field must match`)];
    default:
      return [];
  }
}

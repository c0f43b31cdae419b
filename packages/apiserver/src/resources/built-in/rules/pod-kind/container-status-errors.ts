import { type FieldError, forbiddenField } from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { eachItem, inRange } from "../checks/field-checks.ts";
import { CONTAINER_STATUSES } from "../pod/container-statuses.ts";

type ContainerList = keyof typeof CONTAINER_STATUSES;
const LISTS = Object.keys(CONTAINER_STATUSES) as readonly ContainerList[];

/** Returns the states of containers that the status of a Pod must not leave. */
export function containerStateErrors(
  status: MutableJsonObject,
  former: MutableJsonObject,
  spec: MutableJsonObject,
): readonly FieldError[] {
  const mayRestartAll = isEnabled("RestartAllContainersOnContainerExits") && restartsAll(spec);
  return LISTS.flatMap((list) => {
    if (mayRestartAll && list !== "ephemeralContainers") return [];
    const name = CONTAINER_STATUSES[list];
    const statuses = objectsIn(status, name);
    return eachItem(objectsIn(former, name), `status.${name}`, (before, at) =>
      isRestarted(before, statuses) && !mayRestart(before, list, spec)
        ? [forbiddenField(`${at}.state`, "may not be transitioned to non-terminated state")]
        : [],
    );
  });
}

/** Returns what is wrong with the users of containers in the status of a Pod. */
export function containerUserErrors(status: MutableJsonObject, spec: MutableJsonObject): readonly FieldError[] {
  return Object.values(CONTAINER_STATUSES).flatMap((name) =>
    eachItem(objectsIn(status, name), `status.${name}`, (each, at) =>
      userErrors(objectIn(each, "user"), `${at}.user.linux`, spec),
    ),
  );
}

function isRestarted(before: MutableJsonObject, statuses: readonly MutableJsonObject[]): boolean {
  const isTerminated = (each: MutableJsonObject): boolean =>
    objectIn(objectIn(each, "state"), "terminated") !== undefined;
  const name = textIn(before, "name");
  return isTerminated(before) && statuses.some((each) => textIn(each, "name") === name && !isTerminated(each));
}

// A rule of one container restarts all of them.
function restartsAll(spec: MutableJsonObject): boolean {
  return ["containers", "initContainers"].some((list) =>
    objectsIn(spec, list).some((container) =>
      objectsIn(container, "restartPolicyRules").some((rule) => rule["action"] === "RestartAllContainers"),
    ),
  );
}

function mayRestart(before: MutableJsonObject, list: ContainerList, spec: MutableJsonObject): boolean {
  if (list === "ephemeralContainers") return false;
  const name = textIn(before, "name");
  const container = objectsIn(spec, list).find((each) => textIn(each, "name") === name);
  if (container === undefined) return false;
  const exitCode = numberIn(objectIn(objectIn(before, "state"), "terminated"), "exitCode") ?? 0;
  const policy = textIn(container, "restartPolicy");
  if (policy !== "" && isRestartedByRule(container, exitCode)) return true;
  return restarts(policy, exitCode) ?? restarts(textIn(spec, "restartPolicy"), exitCode) ?? true;
}

function isRestartedByRule(container: MutableJsonObject, exitCode: number): boolean {
  const rule = objectsIn(container, "restartPolicyRules").find((each) => {
    const codes = objectIn(each, "exitCodes");
    const values = codes?.["values"];
    const isListed = Array.isArray(values) && values.includes(exitCode);
    return codes?.["operator"] === "In" ? isListed : codes?.["operator"] === "NotIn" && !isListed;
  });
  return textIn(rule, "action") === "Restart";
}

function restarts(policy: string, exitCode: number): boolean | undefined {
  switch (policy) {
    case "Always":
      return true;
    case "OnFailure":
      return exitCode !== 0;
    case "Never":
      return false;
    default:
      return undefined;
  }
}

const IDS = [0, 2 ** 31 - 1] as const;
// What the kernel can report is more than what a container can ask for.
const REPORTED_USERS = [0, 2 ** 32 - 1] as const;

function userErrors(user: MutableJsonObject | undefined, at: string, spec: MutableJsonObject): readonly FieldError[] {
  const linux = objectIn(user, "linux");
  if (linux === undefined) return [];
  if (textIn(objectIn(spec, "os"), "name") === "windows") {
    return [forbiddenField(at, "cannot be set for a windows pod")];
  }
  const groups = linux["supplementalGroups"];
  return [
    ...inRange(`${at}.uid`, integerIn(linux, "uid"), since("1.37") ? REPORTED_USERS : IDS),
    ...inRange(`${at}.gid`, integerIn(linux, "gid"), IDS),
    ...eachItem(
      Array.isArray(groups) ? (groups as readonly (number | bigint)[]) : [],
      `${at}.supplementalGroups`,
      (id, place) => inRange(place, id, IDS),
    ),
  ];
}

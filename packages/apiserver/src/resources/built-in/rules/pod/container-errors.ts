import {
  dns1123LabelErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  portNameErrors,
  portNumberErrors,
  requiredField,
  tooLongField,
  tooManyField,
} from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textOf } from "../../../fields.ts";
import { checkedText, eachItem, requiredChoice, requiredText, supportedText } from "../checks/field-checks.ts";
import { environmentErrors } from "./environment-errors.ts";
import { mountErrors } from "./mount-errors.ts";
import { forbiddenLifecycle, type HandlerContext, lifecycleErrors } from "./probe-errors.ts";
import { containerResourceErrors } from "./resource-errors.ts";
import { containerSecurityErrors } from "./security-errors.ts";

/** What the checks of containers need to know of the Pod. */
export interface ContainerContext extends HandlerContext {
  readonly spec: MutableJsonObject;
  /** The valid volumes by name. */
  readonly volumes: ReadonlyMap<string, MutableJsonObject>;
  /** The names of the claims of devices. */
  readonly claims: readonly string[];
  /** Whether an init container of the old object restarts when it is resized, which new ones must not. */
  readonly formerlyRestartedInit: boolean;
  /** Whether a container of the old object adds `CAP_SYS_ADMIN` without being allowed to gain privileges. */
  readonly formerlySystemAdmin: boolean;
}

/** Returns what is wrong with the containers of a Pod that run to its end. */
export function containerErrors(context: ContainerContext, at: string): readonly FieldError[] {
  const containers = objectsIn(context.spec, "containers");
  if (containers.length === 0) return [requiredField(at)];
  const names = new Set<string>();
  return [
    ...eachItem(containers, at, (container, place) => {
      const name = textIn(container, "name");
      const isTaken = names.has(name);
      names.add(name);
      return [
        ...commonErrors(container, context, place),
        ...(isTaken ? [duplicateField(`${place}.name`, name)] : []),
        ...lifecycleErrors(container, place, context),
        ...restartErrors(container, place),
      ];
    }),
    ...hostPortConflicts(containers, at),
  ];
}

/** Returns what is wrong with the containers of a Pod that run before the others, or beside them. */
export function initContainerErrors(context: ContainerContext, at: string): readonly FieldError[] {
  const names = new Set(objectsIn(context.spec, "containers").map((container) => textIn(container, "name")));
  return eachItem(objectsIn(context.spec, "initContainers"), at, (container, place) => {
    const name = textIn(container, "name");
    const isTaken = names.has(name);
    if (name !== "") names.add(name);
    const isSidecar = container["restartPolicy"] === "Always";
    return [
      ...commonErrors(container, context, place),
      ...initRestartErrors(container, place),
      ...(isSidecar || context.formerlyRestartedInit || !since("1.36") ? [] : initResizeErrors(container, place)),
      ...(isTaken ? [duplicateField(`${place}.name`, name)] : []),
      // Upstream states the index within a list of this container alone.
      ...hostPortConflicts([container], at),
      ...(isSidecar ? lifecycleErrors(container, place, context) : forbiddenLifecycle(container, place)),
    ];
  });
}

/** Reports whether an init container that runs to its end is restarted when it is resized. */
export function restartsWhenResized(container: MutableJsonObject): boolean {
  return (
    container["restartPolicy"] !== "Always" &&
    objectsIn(container, "resizePolicy").some((item) => item["restartPolicy"] === "RestartContainer")
  );
}

function initResizeErrors(container: MutableJsonObject, at: string): readonly FieldError[] {
  return eachItem(objectsIn(container, "resizePolicy"), `${at}.resizePolicy`, (item, place) =>
    item["restartPolicy"] === "RestartContainer"
      ? [
          invalidField(
            `${place}.restartPolicy`,
            "RestartContainer",
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : [],
  );
}

const NOT_FOR_EPHEMERAL = [
  "ports",
  "resources",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;
const UNSUPPORTED = "cannot be set for an Ephemeral Container";

/** Returns what is wrong with the containers that were added to a running Pod. */
export function ephemeralContainerErrors(context: ContainerContext, at: string): readonly FieldError[] {
  const others = new Set(
    ["containers", "initContainers"].flatMap((list) =>
      objectsIn(context.spec, list).map((container) => textIn(container, "name")),
    ),
  );
  const names = new Set(others);
  return eachItem(objectsIn(context.spec, "ephemeralContainers"), at, (container, place) => {
    const [name, target] = [textIn(container, "name"), textIn(container, "targetContainerName")];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...commonErrors(container, context, place),
      ...imageSpaceErrors(container, place),
      ...(isTaken ? [duplicateField(`${place}.name`, name)] : []),
      ...(target !== "" && !others.has(target) ? [notFoundField(`${place}.targetContainerName`, target)] : []),
      ...[...NOT_FOR_EPHEMERAL, "restartPolicy", "restartPolicyRules", "resizePolicy"]
        .filter((field) => isStated(field, container[field]))
        .map((field) => forbiddenField(`${place}.${field}`, UNSUPPORTED)),
      ...eachItem(objectsIn(container, "volumeMounts"), `${place}.volumeMounts`, (mount, path) =>
        ["subPath", "subPathExpr"]
          .filter((field) => textIn(mount, field) !== "")
          .map((field) => forbiddenField(`${path}.${field}`, UNSUPPORTED)),
      ),
    ];
  });
}

// Empty lists and objects are stated ones, except for the struct of resources.
function isStated(field: string, value: unknown): boolean {
  return value !== undefined && (field !== "resources" || Object.keys(value as object).length > 0);
}

const MESSAGE_POLICIES = ["File", "FallbackToLogsOnError"] as const;
const PULL_POLICIES = ["Always", "IfNotPresent", "Never"] as const;

function commonErrors(container: MutableJsonObject, context: ContainerContext, at: string): readonly FieldError[] {
  const { spec, volumes, claims } = context;
  return [
    ...requiredText(`${at}.name`, textIn(container, "name"), dns1123LabelErrors),
    ...(textIn(container, "image") === "" ? [requiredField(`${at}.image`)] : []),
    ...requiredChoice(
      `${at}.terminationMessagePolicy`,
      textIn(container, "terminationMessagePolicy"),
      MESSAGE_POLICIES,
    ),
    ...portErrors(objectsIn(container, "ports"), `${at}.ports`),
    ...environmentErrors(container, at),
    ...mountErrors(container, volumes, at),
    ...requiredChoice(`${at}.imagePullPolicy`, textIn(container, "imagePullPolicy"), PULL_POLICIES),
    ...containerResourceErrors(objectIn(container, "resources"), claims, `${at}.resources`),
    ...resizeErrors(container, textIn(spec, "restartPolicy"), `${at}.resizePolicy`),
    ...containerSecurityErrors(objectIn(container, "securityContext"), `${at}.securityContext`, {
      hostUsers: spec["hostUsers"] !== false,
      allowsSystemAdmin: context.formerlySystemAdmin,
    }),
  ];
}

const PROTOCOLS = ["SCTP", "TCP", "UDP"] as const;

function portErrors(ports: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const names = new Set<string>();
  return eachItem(ports, at, (port, place) => {
    const name = textIn(port, "name");
    const [number, hostPort] = [numberIn(port, "containerPort") ?? 0, numberIn(port, "hostPort") ?? 0];
    return [
      ...portNameProblems(name, names, `${place}.name`),
      ...(number === 0
        ? [requiredField(`${place}.containerPort`)]
        : portNumberErrors(number).map((problem) => invalidField(`${place}.containerPort`, number, problem))),
      ...(hostPort === 0
        ? []
        : portNumberErrors(hostPort).map((problem) => invalidField(`${place}.hostPort`, hostPort, problem))),
      ...requiredChoice(`${place}.protocol`, textIn(port, "protocol"), PROTOCOLS),
    ];
  });
}

function portNameProblems(name: string, names: Set<string>, field: string): readonly FieldError[] {
  if (name === "") return [];
  const errors = checkedText(field, name, portNameErrors);
  if (errors.length > 0) return errors;
  const isTaken = names.has(name);
  names.add(name);
  return isTaken ? [duplicateField(field, name)] : [];
}

function hostPortConflicts(containers: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const taken = new Set<string>();
  return eachItem(containers, at, (container, place) =>
    eachItem(objectsIn(container, "ports"), `${place}.ports`, (port, portPlace) => {
      const number = numberIn(port, "hostPort") ?? 0;
      const key = `${textIn(port, "protocol")}/${textIn(port, "hostIP")}/${number}`;
      const isTaken = taken.has(key);
      if (number !== 0) taken.add(key);
      return number !== 0 && isTaken ? [duplicateField(`${portPlace}.hostPort`, key)] : [];
    }),
  );
}

const RESIZED = ["cpu", "memory"] as const;
const RESIZE_POLICIES = ["NotRequired", "RestartContainer"] as const;

function resizeErrors(container: MutableJsonObject, restartPolicy: string, at: string): readonly FieldError[] {
  const names = new Set<string>();
  return objectsIn(container, "resizePolicy").flatMap((item, index) => {
    const [name, policy] = [textIn(item, "resourceName"), textIn(item, "restartPolicy")];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...(isTaken ? [duplicateField(`${at}[${index}]`, name)] : []),
      ...requiredChoice(at, name, RESIZED),
      ...requiredChoice(at, policy, RESIZE_POLICIES),
      ...(restartPolicy === "Never" && policy !== "NotRequired"
        ? [invalidField(at, policy, `must be 'NotRequired' when ${ofPod()} is 'Never'`)]
        : []),
    ];
  });
}

// Containers have one, too.
function ofPod(): string {
  return since("1.36") ? "pod `restartPolicy`" : "`restartPolicy`";
}

const RESTART_POLICIES = ["Always", "Never", "OnFailure"] as const;
const MOST_RULES = 20;
const MOST_CODES = 255;

function initRestartErrors(container: MutableJsonObject, at: string): readonly FieldError[] {
  const rules = objectsIn(container, "restartPolicyRules");
  if (container["restartPolicy"] === undefined) {
    const detail = "must specify restartPolicy when restart rules are used";
    return rules.length === 0 ? [] : [requiredField(`${at}.restartPolicy`, detail)];
  }
  if (container["restartPolicy"] !== "Always" || isEnabled("RestartAllContainersOnContainerExits"))
    return restartErrors(container, at);
  return rules.length === 0
    ? []
    : [
        forbiddenField(
          `${at}.restartPolicyRules`,
          "restartPolicyRules are not allowed for init containers with restart policy Always",
        ),
      ];
}

function restartErrors(container: MutableJsonObject, at: string): readonly FieldError[] {
  const policy = container["restartPolicy"];
  const rules = objectsIn(container, "restartPolicyRules");
  const field = `${at}.restartPolicy`;
  if (policy === undefined && rules.length === 0) return [];
  return [
    ...(policy === undefined
      ? [requiredField(field, "must specify restartPolicy when restart rules are used")]
      : supportedText(field, textOf(policy), RESTART_POLICIES)),
    ...(rules.length > MOST_RULES ? [excessError(`${at}.restartPolicyRules`, rules.length, MOST_RULES)] : []),
    ...eachItem(rules, `${at}.restartPolicyRules`, ruleErrors),
  ];
}

function ruleErrors(rule: MutableJsonObject, at: string): readonly FieldError[] {
  const codes = objectIn(rule, "exitCodes");
  const values = codes?.["values"];
  return [
    ...supportedText(`${at}.action`, textIn(rule, "action"), actions()),
    ...(codes === undefined
      ? [requiredField(`${at}.exitCodes`, "must be specified")]
      : supportedText(`${at}.exitCodes.operator`, textIn(codes, "operator"), ["In", "NotIn"])),
    ...(Array.isArray(values) && values.length > MOST_CODES
      ? [excessError(`${at}.exitCodes.values`, values.length, MOST_CODES)]
      : []),
  ];
}

function actions(): readonly string[] {
  return isEnabled("RestartAllContainersOnContainerExits") ? ["Restart", "RestartAllContainers"] : ["Restart"];
}

function excessError(field: string, count: number, most: number): FieldError {
  return since("1.36") ? tooManyField(field, count, most) : tooLongField(field, most);
}

/** Returns an error where the image of a container starts or ends with a space. */
export function imageSpaceErrors(container: MutableJsonObject, at: string): readonly FieldError[] {
  const image = textIn(container, "image");
  return image.trim() === image
    ? []
    : [invalidField(`${at}.image`, image, "must not have leading or trailing whitespace")];
}

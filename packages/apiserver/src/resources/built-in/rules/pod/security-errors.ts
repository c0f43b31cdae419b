import {
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, objectsIn, textIn, textOf, textsIn } from "../../../fields.ts";
import {
  checkedText,
  descendingPath,
  eachItem,
  inRange,
  optionalChoice,
  supportedText,
} from "../checks/field-checks.ts";

const IDS = [0, 2 ** 31 - 1] as const;

/** Returns what is wrong with the security context of a Pod. */
export function podSecurityErrors(
  spec: MutableJsonObject,
  at: string,
  former: MutableJsonObject | undefined,
): readonly FieldError[] {
  const context = objectIn(spec, "securityContext");
  if (context === undefined) return [];
  const groups = context["supplementalGroups"];
  const isShared = spec["shareProcessNamespace"] === true && spec["hostPID"] === true;
  // The field is one of the specification, which older versions do not name.
  const sharedAt = since("1.37") ? at.slice(0, at.lastIndexOf(".")) : at;
  return [
    ...["fsGroup", "runAsUser", "runAsGroup"].flatMap((name) =>
      inRange(`${at}.${name}`, integerIn(context, name), IDS),
    ),
    ...(Array.isArray(groups) ? groups : []).flatMap((id: unknown, index) =>
      inRange(
        `${at}.supplementalGroups[${index}]`,
        typeof id === "number" || typeof id === "bigint" ? id : undefined,
        IDS,
      ),
    ),
    ...(isShared
      ? [
          invalidField(
            `${sharedAt}.shareProcessNamespace`,
            true,
            "ShareProcessNamespace and HostPID cannot both be enabled",
          ),
        ]
      : []),
    ...kernelParameterErrors(objectsIn(context, "sysctls"), spec, `${at}.sysctls`),
    ...optionalChoice(`${at}.fsGroupChangePolicy`, context["fsGroupChangePolicy"], ["Always", "OnRootMismatch"]),
    ...profileErrors(context, at),
    ...optionalChoice(`${at}.supplementalGroupsPolicy`, context["supplementalGroupsPolicy"], ["Merge", "Strict"]),
    ...changePolicyErrors(context, former, at),
  ];
}

function changePolicyErrors(
  context: MutableJsonObject,
  former: MutableJsonObject | undefined,
  at: string,
): readonly FieldError[] {
  const hadPolicy = objectIn(former, "securityContext")?.["seLinuxChangePolicy"] !== undefined;
  const policies = isEnabled("SELinuxMount") || hadPolicy ? ["MountOption", "Recursive"] : ["Recursive"];
  return optionalChoice(`${at}.seLinuxChangePolicy`, context["seLinuxChangePolicy"], policies);
}

const PARAMETER = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const PARAMETERS = `^(${PARAMETER}[\\./])*${PARAMETER}$`;
const LONGEST_PARAMETER = 253;

function kernelParameterErrors(
  parameters: readonly MutableJsonObject[],
  spec: MutableJsonObject,
  at: string,
): readonly FieldError[] {
  const names = new Set<string>();
  return eachItem(parameters, at, (parameter, place) => {
    const name = textIn(parameter, "name");
    const field = `${place}.name`;
    const isValid = name.length <= LONGEST_PARAMETER && new RegExp(PARAMETERS).test(name);
    const detail = `must have at most ${LONGEST_PARAMETER} characters and match regex ${PARAMETERS}`;
    const errors =
      name === ""
        ? [requiredField(field)]
        : isValid
          ? names.has(name)
            ? [duplicateField(field, name)]
            : []
          : [invalidField(field, name, detail)];
    names.add(name);
    return [...errors, ...hostParameterErrors(name, spec, field)];
  });
}

const IPC_PARAMETERS = /^(kernel\.(shm|msg)|kernel\.sem$|fs\.mqueue\.)/;

function hostParameterErrors(name: string, spec: MutableJsonObject, field: string): readonly FieldError[] {
  // A separator is a slash where the first one is.
  const separator = /[./]/.exec(name)?.[0];
  const dotted = separator === "/" ? name.replaceAll(/[./]/g, (each) => (each === "." ? "/" : ".")) : name;
  if (spec["hostNetwork"] === true && dotted.startsWith("net.")) {
    return [invalidField(field, name, "may not be specified when 'hostNetwork' is true")];
  }
  return spec["hostIPC"] === true && IPC_PARAMETERS.test(dotted)
    ? [invalidField(field, name, "may not be specified when 'hostIPC' is true")]
    : [];
}

function profileErrors(context: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...seccompErrors(objectIn(context, "seccompProfile"), `${at}.seccompProfile`),
    ...windowsErrors(objectIn(context, "windowsOptions"), `${at}.windowsOptions`),
    ...appArmorErrors(objectIn(context, "appArmorProfile"), `${at}.appArmorProfile`),
  ];
}

/** Returns what is wrong with the security context of a container. */
export function containerSecurityErrors(
  context: MutableJsonObject | undefined,
  at: string,
  { hostUsers, allowsSystemAdmin }: { readonly hostUsers: boolean; readonly allowsSystemAdmin: boolean },
): readonly FieldError[] {
  if (context === undefined) return [];
  const mount = context["procMount"];
  return [
    ...["runAsUser", "runAsGroup"].flatMap((name) => inRange(`${at}.${name}`, integerIn(context, name), IDS)),
    ...(mount === undefined ? [] : supportedText(`${at}.procMount`, textOf(mount), ["Default", "Unmasked"])),
    ...(hostUsers && mount === "Unmasked"
      ? [invalidField(`${at}.procMount`, mount, "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...seccompErrors(objectIn(context, "seccompProfile"), `${at}.seccompProfile`),
    ...escalationErrors(context, at, allowsSystemAdmin),
    ...windowsErrors(objectIn(context, "windowsOptions"), `${at}.windowsOptions`),
    ...appArmorErrors(objectIn(context, "appArmorProfile"), `${at}.appArmorProfile`),
  ];
}

const SYSTEM_ADMIN = "CAP_SYS_ADMIN";

/** Reports whether a container adds `CAP_SYS_ADMIN` without being allowed to gain privileges. */
export function isLimitedSystemAdmin(container: MutableJsonObject): boolean {
  const context = objectIn(container, "securityContext");
  const added = textsIn(objectIn(context, "capabilities"), "add");
  return context?.["allowPrivilegeEscalation"] !== true && added.includes(SYSTEM_ADMIN);
}

function escalationErrors(context: MutableJsonObject, at: string, allowsSystemAdmin: boolean): readonly FieldError[] {
  if (context["allowPrivilegeEscalation"] !== false) return [];
  const added = textsIn(objectIn(context, "capabilities"), "add").filter(
    (name) => name === SYSTEM_ADMIN && !allowsSystemAdmin,
  );
  const invalid = (detail: string): FieldError =>
    invalidField(at, context, `cannot set \`allowPrivilegeEscalation\` to false and ${detail}`);
  return [
    ...(context["privileged"] === true ? [invalid("`privileged` to true")] : []),
    ...added.map(() => invalid("`capabilities.Add` CAP_SYS_ADMIN")),
  ];
}

const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"] as const;

function seccompErrors(profile: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  if (profile === undefined) return [];
  const type = textIn(profile, "type");
  const file = profile["localhostProfile"];
  const field = `${at}.localhostProfile`;
  const errors =
    type === ""
      ? [requiredField(`${at}.type`, "type is required when seccompProfile is set")]
      : supportedText(`${at}.type`, type, PROFILE_TYPES);
  if (type !== "Localhost") {
    return file === undefined
      ? errors
      : [...errors, invalidField(field, profile, "can only be set when seccomp type is Localhost")];
  }
  return typeof file === "string"
    ? [...errors, ...descendingPath(field, file)]
    : [...errors, requiredField(field, "must be set when seccomp type is Localhost")];
}

const LONGEST_PROFILE = 4095;

function appArmorErrors(profile: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  if (profile === undefined) return [];
  const type = textIn(profile, "type");
  const file = profile["localhostProfile"];
  const field = `${at}.localhostProfile`;
  switch (type) {
    case "":
      return [requiredField(`${at}.type`, "type is required when appArmorProfile is set")];
    case "Localhost":
      return typeof file === "string"
        ? appArmorFileErrors(file, field)
        : [requiredField(field, "must be set when AppArmor type is Localhost")];
    case "RuntimeDefault":
    case "Unconfined":
      return file === undefined ? [] : [invalidField(field, file, "can only be set when AppArmor type is Localhost")];
    default:
      return supportedText(`${at}.type`, type, PROFILE_TYPES);
  }
}

function appArmorFileErrors(file: string, field: string): readonly FieldError[] {
  const errors =
    file.trim() === file
      ? file === ""
        ? [requiredField(field, "must be set when AppArmor type is Localhost")]
        : []
      : [invalidField(field, file, "must not be padded with whitespace")];
  return file.length > LONGEST_PROFILE ? [...errors, tooLongField(field, LONGEST_PROFILE)] : errors;
}

const LONGEST_SPEC_KIB = 64;

function windowsErrors(options: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  if (options === undefined) return [];
  const [name, spec, user] = ["gmsaCredentialSpecName", "gmsaCredentialSpec", "runAsUserName"].map(
    (field) => options[field],
  );
  const tooLong = `gmsaCredentialSpec size must be under ${LONGEST_SPEC_KIB} KiB`;
  return [
    ...(typeof name === "string" ? checkedText(`${at}.gmsaCredentialSpecName`, name, dns1123SubdomainErrors) : []),
    ...(spec === ""
      ? [invalidField(`${at}.gmsaCredentialSpec`, spec, "gmsaCredentialSpec cannot be an empty string")]
      : []),
    ...(typeof spec === "string" && Buffer.byteLength(spec) > LONGEST_SPEC_KIB * 1024
      ? [invalidField(`${at}.gmsaCredentialSpec`, spec, tooLong)]
      : []),
    ...(typeof user === "string" ? checkedText(`${at}.runAsUserName`, user, windowsUserErrors) : []),
  ];
}

const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const LONGEST_DOMAIN = 256;
const LONGEST_USER = 104;

function windowsUserErrors(name: string): readonly string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  return [...(domain === undefined ? [] : windowsDomainErrors(domain)), ...windowsAccountErrors(user)];
}

function windowsDomainErrors(domain: string): readonly string[] {
  return [
    ...(domain.length >= LONGEST_DOMAIN
      ? [`runAsUserName's Domain length must be under ${LONGEST_DOMAIN} characters`]
      : []),
    ...(NET_BIOS.test(domain) || DNS_DOMAIN.test(domain)
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function windowsAccountErrors(user: string): readonly string[] {
  return [
    ...(user === "" ? ["runAsUserName's User cannot be empty"] : []),
    ...(user.length > LONGEST_USER
      ? [`runAsUserName's User length must not be longer than ${LONGEST_USER} characters`]
      : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? [`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`]
      : []),
  ];
}

/** Returns an error for each part of a Pod that the operating system in its specification does not have. */
export function operatingSystemErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const system = objectIn(spec, "os");
  if (system === undefined) return [];
  const name = textIn(system, "name");
  if (name === "") return [requiredField(`${at}.os.name`)];
  switch (name) {
    case "linux":
      return contextsOf(spec, at)
        .filter(({ context }) => objectIn(context, "windowsOptions") !== undefined)
        .map(({ path }) => forbiddenField(`${path}.windowsOptions`, "windows options cannot be set for a linux pod"));
    case "windows":
      return windowsPodErrors(spec, at);
    default:
      return supportedText(`${at}.os`, name, ["linux", "windows"]);
  }
}

interface PlacedContext {
  readonly context: MutableJsonObject;
  readonly path: string;
  readonly isOfPod: boolean;
}

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

function contextsOf(spec: MutableJsonObject, at: string): readonly PlacedContext[] {
  const contexts = CONTAINER_LISTS.flatMap((list) =>
    objectsIn(spec, list).map((container, index) => ({
      context: objectIn(container, "securityContext"),
      path: `${at}.${list}[${index}].securityContext`,
      isOfPod: false,
    })),
  );
  return [
    { context: objectIn(spec, "securityContext"), path: `${at}.securityContext`, isOfPod: true },
    ...contexts,
  ].flatMap(({ context, ...place }) => (context === undefined ? [] : [{ context, ...place }]));
}

const FLAGS_OF_POD = ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"] as const;
const OPTIONS_OF_POD = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
] as const;
const OPTIONS_OF_CONTAINER = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
] as const;

function windowsPodErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const isSet = (name: (typeof FLAGS_OF_POD)[number]): boolean =>
    name === "hostPID" || name === "hostIPC" ? spec[name] === true : spec[name] !== undefined;
  return [
    ...FLAGS_OF_POD.filter(isSet).map((name) => forbiddenField(`${at}.${name}`, NOT_FOR_WINDOWS)),
    ...contextsOf(spec, at).flatMap(({ context, path, isOfPod }) =>
      (isOfPod ? OPTIONS_OF_POD : OPTIONS_OF_CONTAINER)
        .filter((name) => context[name] !== undefined)
        .map((name) => forbiddenField(`${path}.${name}`, NOT_FOR_WINDOWS)),
    ),
  ];
}

const NOT_FOR_WINDOWS = "cannot be set for a windows pod";

/** Returns what is wrong with the processes of the host that containers of Windows run. */
export function hostProcessErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const ofPod = objectIn(objectIn(spec, "securityContext"), "windowsOptions")?.["hostProcess"];
  const containers = CONTAINER_LISTS.flatMap((list) =>
    objectsIn(spec, list).map((container, index) => ({
      flag: objectIn(objectIn(container, "securityContext"), "windowsOptions")?.["hostProcess"],
      path: `${at}.${list}[${index}].securityContext.windowsOptions.hostProcess`,
    })),
  );
  const count = containers.filter(({ flag }) => (flag ?? ofPod) === true).length;
  const mixed = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
  const network = "hostNetwork must be true if pod contains any hostProcess containers";
  return [
    ...containers
      .filter(({ flag }) => flag !== undefined && ofPod !== undefined && flag !== ofPod)
      .map(({ flag, path }) =>
        invalidField(path, flag, `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`),
      ),
    ...(count > 0 && count < containers.length ? [invalidField(at, "", mixed)] : []),
    ...(count > 0 && spec["hostNetwork"] !== true ? [invalidField(`${at}.hostNetwork`, false, network)] : []),
  ];
}

import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  qualifiedNameErrors,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { checkedText, eachItem, inRange, ipAddress, requiredChoice } from "../checks/field-checks.ts";
import { annotationErrors, labelErrors } from "../checks/template-meta-errors.ts";
import {
  type ContainerContext,
  containerErrors,
  ephemeralContainerErrors,
  initContainerErrors,
  restartsWhenResized,
} from "./container-errors.ts";
import { podAnnotationErrors, profileConflicts } from "./pod-annotation-errors.ts";
import { podLevelErrors } from "./pod-level-errors.ts";
import { containerResourceErrors } from "./resource-errors.ts";
import { affinityErrors, spreadErrors, tolerationErrors } from "./scheduling-errors.ts";
import {
  hostProcessErrors,
  isLimitedSystemAdmin,
  operatingSystemErrors,
  podSecurityErrors,
} from "./security-errors.ts";
import { checkVolumes } from "./volume-errors.ts";

const RESTART_POLICIES = ["Always", "OnFailure", "Never"] as const;
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"] as const;
const PREEMPTION_POLICIES = ["PreemptLowerPriority", "Never"] as const;

/** Returns what is wrong with the specification of a Pod; of one in a template, the name is unknown. */
export function podSpecErrors(
  spec: MutableJsonObject,
  at: string,
  {
    podName = "",
    isPod = false,
    former,
  }: {
    readonly podName?: string;
    readonly isPod?: boolean;
    /** The specification before an update, which tolerates what it had already. */
    readonly former?: MutableJsonObject | undefined;
  } = {},
): readonly FieldError[] {
  const claims = objectsIn(spec, "resourceClaims");
  const claimNames = [...new Set(claims.map((claim) => textIn(claim, "name")).filter((name) => name !== ""))];
  const { volumes, errors: volumeErrors } = checkVolumes(spec, `${at}.volumes`, { podName, former });
  const context = {
    spec,
    volumes,
    claims: claimNames,
    gracePeriodSeconds: integerIn(spec, "terminationGracePeriodSeconds"),
    osName: undefined,
    ...toleratedParts(former),
  };
  return [
    ...volumeErrors,
    ...claimErrors(claims, `${at}.resourceClaims`),
    ...containerErrors(context, `${at}.containers`),
    ...initContainerErrors(context, `${at}.initContainers`),
    ...ephemeralContainerErrors(context, `${at}.ephemeralContainers`),
    ...podLevelErrors(spec, claimNames, at),
    ...hostPortErrors(spec, at, isPod),
    ...requiredChoice(`${at}.restartPolicy`, textIn(spec, "restartPolicy"), RESTART_POLICIES),
    ...requiredChoice(`${at}.dnsPolicy`, textIn(spec, "dnsPolicy"), DNS_POLICIES),
    ...labelErrors(objectIn(spec, "nodeSelector"), `${at}.nodeSelector`),
    ...podSecurityErrors(spec, `${at}.securityContext`, former),
    ...affinityErrors(objectIn(spec, "affinity"), `${at}.affinity`),
    ...dnsErrors(spec, `${at}.dnsConfig`),
    ...eachItem(objectsIn(spec, "readinessGates"), `${at}.readinessGates`, (gate, place) =>
      checkedText(`${place}.conditionType`, textIn(gate, "conditionType"), qualifiedNameErrors),
    ),
    ...gateErrors(objectsIn(spec, "schedulingGates"), `${at}.schedulingGates`),
    ...spreadErrors(objectsIn(spec, "topologySpreadConstraints"), `${at}.topologySpreadConstraints`),
    ...hostProcessErrors(spec, at),
    ...hostUserErrors(spec, at),
    ...hostNameErrors(spec, at),
    ...nameErrors(spec, at),
    ...inRange(`${at}.activeDeadlineSeconds`, integerIn(spec, "activeDeadlineSeconds"), [1, 2 ** 31 - 1]),
    ...optionalLabel(spec, "hostname", at),
    ...optionalLabel(spec, "subdomain", at),
    ...tolerationErrors(objectsIn(spec, "tolerations"), `${at}.tolerations`),
    ...hostAliasErrors(objectsIn(spec, "hostAliases"), `${at}.hostAliases`),
    ...preemptionErrors(spec, at),
    ...(spec["overhead"] === undefined
      ? []
      : containerResourceErrors({ limits: spec["overhead"] }, [], `${at}.overhead`)),
    ...operatingSystemErrors(spec, at),
    ...fileVolumeErrors(spec, at),
  ];
}

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

function toleratedParts(
  former: MutableJsonObject | undefined,
): Pick<ContainerContext, "formerlyRestartedInit" | "formerlySystemAdmin"> {
  return {
    formerlyRestartedInit: objectsIn(former, "initContainers").some(restartsWhenResized),
    formerlySystemAdmin:
      since("1.37") && CONTAINER_LISTS.some((list) => objectsIn(former, list).some(isLimitedSystemAdmin)),
  };
}

/** Returns what is wrong with a template of Pods; the former one, before an update, tolerates what it had already. */
export function podTemplateErrors(
  template: MutableJsonObject,
  at: string,
  former?: MutableJsonObject,
): readonly FieldError[] {
  const metadata = objectIn(template, "metadata");
  const spec = objectIn(template, "spec") ?? {};
  const annotations = objectIn(metadata, "annotations");
  return [
    ...labelErrors(objectIn(metadata, "labels"), `${at}.labels`),
    ...annotationErrors(annotations, `${at}.annotations`),
    ...podAnnotationErrors(annotations, spec, `${at}.annotations`),
    ...podSpecErrors(spec, `${at}.spec`, { former: objectIn(former, "spec") }),
    ...profileConflicts(annotations, spec, `${at}.spec`),
    ...(objectsIn(spec, "ephemeralContainers").length > 0
      ? [forbiddenField(`${at}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")]
      : []),
  ];
}

function claimErrors(claims: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const names = new Set<string>();
  return eachItem(claims, at, (claim, place) => {
    const name = textIn(claim, "name");
    const isTaken = names.has(name);
    if (name !== "") names.add(name);
    const sources = ["resourceClaimName", "resourceClaimTemplateName"];
    const given = sources.filter((source) => typeof claim[source] === "string");
    return [
      ...(name === ""
        ? [requiredField(`${place}.name`)]
        : isTaken
          ? [duplicateField(`${place}.name`, name)]
          : checkedText(`${place}.name`, name, dns1123LabelErrors)),
      ...(given.length === 2
        ? [
            invalidField(
              place,
              claim,
              "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
            ),
          ]
        : []),
      ...(given.length === 0
        ? [invalidField(place, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")]
        : []),
      ...given.flatMap((source) => checkedText(`${place}.${source}`, textIn(claim, source), dns1123SubdomainErrors)),
    ];
  });
}

function hostPortErrors(spec: MutableJsonObject, at: string, isPod: boolean): readonly FieldError[] {
  if (spec["hostNetwork"] !== true) return [];
  return eachItem(objectsIn(spec, "containers"), `${at}.containers`, (container, place) =>
    eachItem(objectsIn(container, "ports"), `${place}.ports`, (port, portPlace) => {
      const [hostPort, containerPort] = [numberIn(port, "hostPort") ?? 0, numberIn(port, "containerPort") ?? 0];
      const isOther = (isPod || hostPort !== 0) && hostPort !== containerPort;
      const detail = "must match `containerPort` when `hostNetwork` is true";
      return isOther ? [invalidField(`${portPlace}.hostPort`, hostPort, detail)] : [];
    }),
  );
}

const MOST_SERVERS = 3;
const MOST_SEARCHES = 32;
const MOST_CHARACTERS = 2048;

function dnsErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const config = objectIn(spec, "dnsConfig");
  const servers = textsIn(config, "nameservers");
  if (spec["dnsPolicy"] === "None" && config === undefined) {
    return [requiredField(at, "must provide `dnsConfig` when `dnsPolicy` is None")];
  }
  if (spec["dnsPolicy"] === "None" && servers.length === 0) {
    return [requiredField(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  const searches = textsIn(config, "searches");
  return [
    ...(servers.length > MOST_SERVERS
      ? [invalidField(`${at}.nameservers`, servers, `must not have more than ${MOST_SERVERS} nameservers`)]
      : []),
    ...eachItem(servers, `${at}.nameservers`, (server, place) => ipAddress(place, server)),
    ...searchErrors(searches, `${at}.searches`),
    ...eachItem(objectsIn(config, "options"), `${at}.options`, (option, place) =>
      textIn(option, "name") === "" ? [requiredField(place, "must not be empty")] : [],
    ),
  ];
}

function searchErrors(searches: readonly string[], at: string): readonly FieldError[] {
  const isLong = searches.join(" ").length > MOST_CHARACTERS;
  const characters = `must not have more than ${MOST_CHARACTERS} characters (including spaces) in the search list`;
  return [
    ...(searches.length > MOST_SEARCHES
      ? [invalidField(at, searches, `must not have more than ${MOST_SEARCHES} search paths`)]
      : []),
    ...(isLong ? [invalidField(at, searches, characters)] : []),
    ...eachItem(searches, at, (search, place) =>
      search === "." ? [] : checkedText(place, search.replace(/\.$/, ""), searchDomainErrors),
    ),
  ];
}

const DOMAIN_PART = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const DOMAIN = `${DOMAIN_PART}(\\.${DOMAIN_PART})*`;
const DOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";

function searchDomainErrors(domain: string): readonly string[] {
  return [
    ...(domain.length > 253 ? ["must be no more than 253 characters"] : []),
    ...(new RegExp(`^${DOMAIN}$`).test(domain)
      ? []
      : [`${DOMAIN_RULE} (e.g. 'example.com', regex used for validation is '${DOMAIN}')`]),
  ];
}

function gateErrors(gates: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const names = new Set<string>();
  return eachItem(gates, at, (gate, place) => {
    const name = textIn(gate, "name");
    const isTaken = names.has(name);
    names.add(name);
    return [...checkedText(place, name, qualifiedNameErrors), ...(isTaken ? [duplicateField(place, name)] : [])];
  });
}

function hostUserErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  if (spec["hostUsers"] !== false) return [];
  const detail = "when `hostUsers` is false";
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  return [
    ...(spec["hostNetwork"] === true ? [forbiddenField(`${at}.hostNetwork`, detail)] : []),
    // Upstream writes these two as in Go.
    ...(spec["hostPID"] === true ? [forbiddenField(`${at}.HostPID`, detail)] : []),
    ...(spec["hostIPC"] === true ? [forbiddenField(`${at}.HostIPC`, detail)] : []),
    ...lists.flatMap((list) =>
      eachItem(objectsIn(spec, list), `${at}.${list}`, (container, place) =>
        objectsIn(container, "volumeDevices").length > 0 ? [forbiddenField(`${place}.volumeDevices`, detail)] : [],
      ),
    ),
  ];
}

const LONGEST_HOST_NAME = 64;

function hostNameErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const name = spec["hostnameOverride"];
  if (typeof name !== "string") return [];
  const field = `${at}.hostnameOverride`;
  return [
    ...(spec["setHostnameAsFQDN"] === true
      ? [forbiddenField(field, "may not be specified when setHostnameAsFQDN is true")]
      : []),
    ...(spec["hostNetwork"] === true ? [forbiddenField(field, "may not be specified when hostNetwork is true")] : []),
    ...(name.length > LONGEST_HOST_NAME ? [tooLongField(field, LONGEST_HOST_NAME)] : []),
    ...checkedText(field, name, dns1123SubdomainErrors),
  ];
}

function nameErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const optional = ["serviceAccountName", "nodeName", "priorityClassName"].filter((name) => textIn(spec, name) !== "");
  const names = typeof spec["runtimeClassName"] === "string" ? [...optional, "runtimeClassName"] : optional;
  return names.flatMap((name) => checkedText(`${at}.${name}`, textIn(spec, name), dns1123SubdomainErrors));
}

function optionalLabel(spec: MutableJsonObject, name: string, at: string): readonly FieldError[] {
  const value = textIn(spec, name);
  return value === "" ? [] : checkedText(`${at}.${name}`, value, dns1123LabelErrors);
}

function hostAliasErrors(aliases: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  return eachItem(aliases, at, (alias, place) => [
    ...ipAddress(`${place}.ip`, textIn(alias, "ip")),
    ...eachItem(textsIn(alias, "hostnames"), `${place}.hostnames`, (name, field) =>
      checkedText(field, name, dns1123SubdomainErrors),
    ),
  ]);
}

function preemptionErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const policy = spec["preemptionPolicy"];
  return typeof policy === "string" ? requiredChoice(`${at}.preemptionPolicy`, policy, PREEMPTION_POLICIES) : [];
}

function fileVolumeErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const volumes = new Map(objectsIn(spec, "volumes").map((volume) => [textIn(volume, "name"), volume]));
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    eachItem(objectsIn(spec, list), `${at}.${list}`, (container, place) =>
      eachItem(objectsIn(container, "env"), `${place}.env`, (variable, variablePlace) => {
        const reference = objectIn(objectIn(variable, "valueFrom"), "fileKeyRef");
        if (reference === undefined) return [];
        const name = textIn(reference, "volumeName");
        const volume = volumes.get(name);
        const field = `${variablePlace}.valueFrom.fileKeyRef.volumeName`;
        if (volume === undefined) return [notFoundField(field, name)];
        return volume["emptyDir"] === undefined
          ? [invalidField(field, name, "referenced volume must be of type emptyDir")]
          : [];
      }),
    ),
  );
}

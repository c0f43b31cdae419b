import { goQuote } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { containersOf, SECCOMP_POD } from "../containers/placed-containers.ts";
import { addressWarnings } from "./address-warnings.ts";
import { byteWarnings } from "./amount-warnings.ts";
import { containerWarnings } from "./container-warnings.ts";
import { labelFieldWarning, labelKeyWarnings, nodeTermWarnings } from "./node-label-warnings.ts";
import { portWarnings } from "./port-warnings.ts";
import { volumeWarnings } from "./volume-warnings.ts";

/** Returns the warnings about a template of Pods in a field. */
export function templateWarnings(template: MutableJsonObject | undefined, at: string): readonly string[] {
  return template === undefined ? [] : warningsOf(template, { at: `${at}.`, isTemplate: true });
}

/** Returns the warnings about a Pod. */
export function podWarnings(pod: MutableJsonObject): readonly string[] {
  return warningsOf(pod, { at: "", isTemplate: false });
}

/** Returns the warnings about the addresses in the status of a Pod. */
export function podStatusWarnings(pod: MutableJsonObject): readonly string[] {
  return ["podIPs", "hostIPs"].flatMap((list) =>
    objectsIn(objectIn(pod, "status"), list).flatMap((address, index) =>
      addressWarnings(`status.${list}[${index}].ip`, textIn(address, "ip")),
    ),
  );
}

const OLD_ANNOTATIONS: readonly (readonly [key: string, advice: string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
];

// In the order of upstream.
function warningsOf(
  pod: MutableJsonObject,
  { at, isTemplate }: { readonly at: string; readonly isTemplate: boolean },
): readonly string[] {
  const spec = objectIn(pod, "spec") ?? {};
  const place = `${at}spec`;
  const annotations = objectIn(objectIn(pod, "metadata"), "annotations");
  const context = objectIn(spec, "securityContext");
  const podProfile = objectIn(context, "appArmorProfile");
  const containers = containersOf(spec, place);
  const surroundings = { annotations, podProfile, at: `${at}metadata.annotations`, isTemplate };
  const hasOldSeccomp = annotations?.[SECCOMP_POD] !== undefined && context?.["seccompProfile"] === undefined;
  const advice = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  return [
    ...nodeWarnings(spec, place),
    ...OLD_ANNOTATIONS.filter(([key]) => annotations?.[key] !== undefined).map(
      ([key, problem]) => `${surroundings.at}[${key}]: ${problem}`,
    ),
    ...volumeWarnings(objectsIn(spec, "volumes"), `${place}.volumes`),
    ...repeatedWarnings(spec, place),
    ...byteWarnings(objectIn(spec, "overhead"), `${place}.overhead`, ["memory", "ephemeral-storage"]),
    ...(hasOldSeccomp ? [`${surroundings.at}[${SECCOMP_POD}]: ${advice}`] : []),
    ...containers.flatMap((container) => containerWarnings(container, surroundings)),
    ...portWarnings(containers),
    ...((numberIn(spec, "terminationGracePeriodSeconds") ?? 0) < 0
      ? [`${place}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(objectIn(spec, "affinity"), `${place}.affinity`),
    ...networkWarnings(spec, place),
  ];
}

function nodeWarnings(spec: MutableJsonObject, at: string): readonly string[] {
  const affinity = objectIn(objectIn(spec, "affinity"), "nodeAffinity");
  const [required, preferred] = [
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
  ];
  const place = `${at}.affinity.nodeAffinity`;
  return [
    ...labelKeyWarnings(objectIn(spec, "nodeSelector"), (key) => `${at}.nodeSelector[${key}]`),
    ...objectsIn(objectIn(affinity, required), "nodeSelectorTerms").flatMap((term, index) =>
      nodeTermWarnings(term, `${place}.${required}.nodeSelectorTerms[${index}]`, { isPreference: false }),
    ),
    ...objectsIn(affinity, preferred).flatMap((term, index) =>
      nodeTermWarnings(objectIn(term, "preference"), `${place}.${preferred}[${index}].preference`, {
        isPreference: true,
      }),
    ),
    ...objectsIn(spec, "topologySpreadConstraints").flatMap((constraint, index) => {
      const field = `${at}.topologySpreadConstraints[${index}]`;
      return [
        ...labelFieldWarning(`${field}.topologyKey`, textIn(constraint, "topologyKey")),
        ...selectorWarning(constraint, field),
      ];
    }),
  ];
}

function selectorWarning(owner: MutableJsonObject | undefined, at: string): readonly string[] {
  return owner?.["labelSelector"] === undefined
    ? [`${at}.labelSelector: a null labelSelector results in matching no pod`]
    : [];
}

function repeatedWarnings(spec: MutableJsonObject, at: string): readonly string[] {
  const secrets = objectsIn(spec, "imagePullSecrets");
  return [
    ...repeated(objectsIn(spec, "hostAliases"), "ip", `${at}.hostAliases`),
    ...repeated(secrets, "name", `${at}.imagePullSecrets`),
    ...secrets.flatMap((secret, index) =>
      textIn(secret, "name") === "" ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
  ];
}

function repeated(items: readonly MutableJsonObject[], key: string, at: string): readonly string[] {
  const values = items.map((item) => textIn(item, key));
  return [...repeatedIndexes(values)].map(
    (index) => `${at}[${String(index)}].${key}: duplicate ${key} ${goQuote(values[index] ?? "")}`,
  );
}

function affinityWarnings(affinity: MutableJsonObject | undefined, at: string): readonly string[] {
  const [required, preferred] = [
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
  ];
  return ["podAffinity", "podAntiAffinity"].flatMap((name) => {
    const terms = objectIn(affinity, name);
    return [
      ...objectsIn(terms, required).flatMap((term, index) =>
        selectorWarning(term, `${at}.${name}.${required}[${index}]`),
      ),
      ...objectsIn(terms, preferred).flatMap((term, index) =>
        selectorWarning(objectIn(term, "podAffinityTerm"), `${at}.${name}.${preferred}[${index}].podAffinityTerm`),
      ),
    ];
  });
}

function networkWarnings(spec: MutableJsonObject, at: string): readonly string[] {
  return [
    ...textsIn(objectIn(spec, "dnsConfig"), "nameservers").flatMap((server, index) =>
      addressWarnings(`${at}.dnsConfig.nameservers[${index}]`, server),
    ),
    ...objectsIn(spec, "hostAliases").flatMap((alias, index) =>
      addressWarnings(`${at}.hostAliases[${index}].ip`, textIn(alias, "ip")),
    ),
  ];
}

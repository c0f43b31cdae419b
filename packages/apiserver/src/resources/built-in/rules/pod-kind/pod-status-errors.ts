import {
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidField,
  qualifiedNameErrors,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressFamily } from "../../../address-ranges.ts";
import { integerIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { checkedText, eachItem, ipAddress } from "../checks/field-checks.ts";
import { podAnnotationChangeErrors } from "../pod/pod-change-errors.ts";
import { containerStateErrors, containerUserErrors } from "./container-status-errors.ts";
import { extendedClaimErrors, resourceHealthErrors } from "./resource-health-errors.ts";

const NEGATIVE = "must be a non-negative integer";

/** Returns what is wrong with the status of a Pod. */
export function podStatusErrors(pod: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, former] = [objectIn(pod, "spec") ?? {}, objectIn(old, "status") ?? {}];
  const status = objectIn(pod, "status") ?? {};
  const generation = integerIn(status, "observedGeneration") ?? 0;
  const qos = textIn(status, "qosClass");
  return [
    ...podAnnotationChangeErrors(pod, old, spec),
    ...eachItem(objectsIn(status, "conditions"), "status.conditions", conditionErrors),
    ...nominatedNodeErrors(textIn(status, "nominatedNodeName"), textIn(former, "nominatedNodeName"), spec),
    ...(generation < 0 ? [invalidField("status.observedGeneration", generation, NEGATIVE)] : []),
    ...(qos === textIn(former, "qosClass") ? [] : [invalidField("status.qosClass", qos, "field is immutable")]),
    ...containerStateErrors(status, former, spec),
    ...claimStatusErrors(objectsIn(status, "resourceClaimStatuses"), spec),
    ...addressErrors(status, former, "podIPs"),
    ...hostAddressErrors(status, former),
    ...containerUserErrors(status, spec),
    ...resourceHealthErrors(status, spec),
    ...extendedClaimErrors(objectIn(status, "extendedResourceClaimStatus"), spec, "status.extendedResourceClaimStatus"),
  ];
}

const SYSTEM_CONDITIONS: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);

function conditionErrors(condition: MutableJsonObject, at: string): readonly FieldError[] {
  const generation = integerIn(condition, "observedGeneration") ?? 0;
  const type = textIn(condition, "type");
  return [
    ...(generation < 0 ? [invalidField(`${at}.observedGeneration`, generation, NEGATIVE)] : []),
    ...(SYSTEM_CONDITIONS.has(type) ? [] : checkedText(`${at}.Type`, type, qualifiedNameErrors)),
  ];
}

function nominatedNodeErrors(name: string, former: string, spec: MutableJsonObject): readonly FieldError[] {
  const field = "status.nominatedNodeName";
  if (name === "" || name === former) return [];
  return [
    ...checkedText(field, name, dns1123SubdomainErrors),
    ...(textIn(spec, "nodeName") === ""
      ? []
      : [forbiddenField(field, "may not be set on pods that are already bound to a node")]),
  ];
}

function claimStatusErrors(statuses: readonly MutableJsonObject[], spec: MutableJsonObject): readonly FieldError[] {
  const claims = new Set(objectsIn(spec, "resourceClaims").map((claim) => textIn(claim, "name")));
  const names = statuses.map((status) => textIn(status, "name"));
  const repeated = repeatedIndexes(names);
  return eachItem(statuses, "status.resourceClaimStatuses", (status, at, index) => {
    const [field, name, claim] = [`${at}.name`, names[index] ?? "", status["resourceClaimName"]];
    const claimField = since("1.36") ? `${at}.resourceClaimName` : field;
    return [
      ...(claims.has(name)
        ? []
        : [invalidField(field, name, "must match the name of an entry in `spec.resourceClaims`")]),
      ...(repeated.has(index) ? [duplicateField(field, name)] : []),
      ...(typeof claim === "string" ? checkedText(claimField, claim, dns1123SubdomainErrors) : []),
    ];
  });
}

function addressErrors(
  status: MutableJsonObject,
  former: MutableJsonObject,
  list: "podIPs" | "hostIPs",
): readonly FieldError[] {
  const field = `status.${list}`;
  const [entries, before] = [status, former].map((each) => objectsIn(each, list).map((entry) => textIn(entry, "ip")));
  const [addresses = [], accepted = []] = [entries, before];
  const families = addresses.map(addressFamily);
  const unreadable = families.indexOf(0);
  const isDual = unreadable < 0 && new Set(families).size > 1;
  const isPlural = addresses.length > 1;
  const problem = `failed to check for dual stack with error:invalid IP[${unreadable}]: ${String(addresses[unreadable])}`;
  return [
    ...eachItem(addresses, field, (address, at) => ipAddress(at, address, accepted)),
    ...(isPlural && unreadable >= 0 ? [internalFieldError(field, problem)] : []),
    ...(isPlural && (!isDual || addresses.length > 2)
      ? [
          invalidField(
            field,
            addresses.map((address) => ({ IP: address })),
            "may specify no more than one IP for each IP family",
          ),
        ]
      : []),
  ];
}

function hostAddressErrors(status: MutableJsonObject, former: MutableJsonObject): readonly FieldError[] {
  const [first] = objectsIn(status, "hostIPs");
  if (first === undefined) return [];
  const address = textIn(first, "ip");
  const isSame = address === textIn(status, "hostIP");
  return [
    ...(isSame ? [] : [invalidField("status.hostIPs[0].ip", address, "must be equal to `hostIP`")]),
    ...addressErrors(status, former, "hostIPs"),
  ];
}

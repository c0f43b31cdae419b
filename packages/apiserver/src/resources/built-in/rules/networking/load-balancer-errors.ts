import {
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
} from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressFamily } from "../../../address-ranges.ts";
import { objectIn, textIn } from "../../../fields.ts";
import { balancerPoints } from "../checks/balancer-points.ts";
import { checkedText, eachItem, ipAddress, optionalChoice } from "../checks/field-checks.ts";

const AT = "status.loadBalancer.ingress";
const ADDRESS_MODES = ["Proxy", "VIP"] as const;

/** Returns what is wrong with the status of a Service. */
export function serviceStatusErrors(service: ApiObject, old: ApiObject): readonly FieldError[] {
  const points = balancerPoints(service);
  if (points.length > 0 && textIn(objectIn(service, "spec"), "type") !== "LoadBalancer") {
    return [forbiddenField(AT, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const former = addressesOf(old);
  return eachItem(points, AT, (point, at) => [
    ...addressErrors(point, at, former),
    ...modeErrors(point, `${at}.ipMode`),
    ...hostErrors(point, at),
  ]);
}

/** Returns what is wrong with the status of an Ingress. */
export function ingressStatusErrors(ingress: ApiObject, old: ApiObject): readonly FieldError[] {
  const former = addressesOf(old);
  return eachItem(balancerPoints(ingress), AT, (point, at) => [
    ...addressErrors(point, at, former),
    ...hostErrors(point, at),
  ]);
}

function addressesOf(object: ApiObject): readonly string[] {
  return balancerPoints(object).map((point) => textIn(point, "ip"));
}

function addressErrors(point: MutableJsonObject, at: string, former: readonly string[]): readonly FieldError[] {
  const address = textIn(point, "ip");
  return address === "" ? [] : ipAddress(`${at}.ip`, address, former);
}

function modeErrors(point: MutableJsonObject, field: string): readonly FieldError[] {
  const hasAddress = textIn(point, "ip") !== "";
  if (point["ipMode"] === undefined) {
    return hasAddress ? [requiredField(field, "must be specified when `ip` is set")] : [];
  }
  return hasAddress
    ? optionalChoice(field, point["ipMode"], ADDRESS_MODES)
    : [forbiddenField(field, "may not be specified when `ip` is not set")];
}

function hostErrors(point: MutableJsonObject, at: string): readonly FieldError[] {
  const host = textIn(point, "hostname");
  if (host === "") return [];
  return [
    ...checkedText(`${at}.hostname`, host, dns1123SubdomainErrors),
    ...(addressFamily(host) === 0
      ? []
      : [invalidField(`${at}.hostname`, host, "must be a DNS name, not an IP address")]),
  ];
}

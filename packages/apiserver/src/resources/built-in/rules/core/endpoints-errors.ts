import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  portNumberErrors,
  qualifiedNameErrors,
  requiredField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectsIn, textIn } from "../../../fields.ts";
import { checkedText, eachItem, ipAddress, requiredChoice } from "../checks/field-checks.ts";
import { endpointAddressErrors } from "./service-address-errors.ts";

/** Returns what is wrong with Endpoints; subsets that were accepted once stay so. */
export function endpointsErrors(endpoints: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  if (old !== undefined && deepEqual(old["subsets"] ?? null, endpoints["subsets"] ?? null)) {
    return [];
  }
  return eachItem(objectsIn(endpoints, "subsets"), "subsets", (subset, at) => {
    const [ready, others] = [objectsIn(subset, "addresses"), objectsIn(subset, "notReadyAddresses")];
    const ports = objectsIn(subset, "ports");
    return [
      ...(ready.length + others.length === 0
        ? [requiredField(at, "must specify `addresses` or `notReadyAddresses`")]
        : []),
      ...eachItem(ready, `${at}.addresses`, addressErrors),
      ...eachItem(others, `${at}.notReadyAddresses`, addressErrors),
      ...eachItem(ports, `${at}.ports`, (port, place) => portErrors(port, place, ports.length > 1)),
    ];
  });
}

function addressErrors(address: MutableJsonObject, at: string): readonly FieldError[] {
  const [ip, name, node] = [textIn(address, "ip"), textIn(address, "hostname"), address["nodeName"]];
  return [
    ...ipAddress(`${at}.ip`, ip),
    ...(name === "" ? [] : checkedText(`${at}.hostname`, name, dns1123LabelErrors)),
    ...(typeof node === "string" ? checkedText(`${at}.nodeName`, node, dns1123SubdomainErrors) : []),
    ...endpointAddressErrors(ip, `${at}.ip`),
  ];
}

function portErrors(port: MutableJsonObject, at: string, isNamed: boolean): readonly FieldError[] {
  const [name, number] = [textIn(port, "name"), numberIn(port, "port") ?? 0];
  return [
    ...(name === ""
      ? isNamed
        ? [requiredField(`${at}.name`)]
        : []
      : checkedText(`${at}.name`, name, dns1123LabelErrors)),
    ...portNumberErrors(number).map((problem) => invalidField(`${at}.port`, number, problem)),
    ...requiredChoice(`${at}.protocol`, textIn(port, "protocol"), ["SCTP", "TCP", "UDP"]),
    ...(typeof port["appProtocol"] === "string"
      ? checkedText(`${at}.appProtocol`, port["appProtocol"], qualifiedNameErrors)
      : []),
  ];
}

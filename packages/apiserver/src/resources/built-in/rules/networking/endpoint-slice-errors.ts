import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  invalidField,
  labelValueErrors,
  qualifiedNameErrors,
  requiredField,
  tooManyField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressNameErrors } from "../../../address-names.ts";
import { protocolOf } from "../../../address-ranges.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { declaredDetail, declaredImmutable } from "../checks/declared-rules.ts";
import { checkedText, eachItem, ipAddress, requiredChoice, supportedText } from "../checks/field-checks.ts";
import { labelErrors } from "../checks/template-meta-errors.ts";
import { endpointAddressErrors } from "../core/service-address-errors.ts";

const MOST_ENDPOINTS = 1000;
const MOST_ADDRESSES = 100;
const MOST_PORTS = 20_000;
const MOST_LABELS = 16;
const MOST_HINTS = 8;

/** Returns what is wrong with an EndpointSlice; endpoints that were accepted once stay so. */
export function endpointSliceErrors(slice: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const type = textIn(slice, "addressType");
  const isOld = old !== undefined && deepEqual(old["endpoints"] ?? null, slice["endpoints"] ?? null);
  const isChanged = old !== undefined && textIn(old, "addressType") !== type;
  return [
    ...requiredChoice("addressType", type, ["FQDN", "IPv4", "IPv6"]),
    ...portErrors(objectsIn(slice, "ports"), "ports"),
    ...(isOld ? [] : endpointErrors(objectsIn(slice, "endpoints"), type)),
    ...(isChanged ? [declaredImmutable("addressType", type)] : []),
  ];
}

function portErrors(ports: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  if (ports.length > MOST_PORTS) return [tooManyField(at, ports.length, MOST_PORTS)];
  const names = new Set<string>();
  return eachItem(ports, at, (port, place) => {
    const name = textIn(port, "name");
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...(name === "" ? [] : checkedText(`${place}.name`, name, dns1123LabelErrors)),
      ...(isTaken ? [duplicateField(`${place}.name`, name)] : []),
      ...(port["protocol"] === undefined
        ? [requiredField(`${place}.protocol`)]
        : supportedText(`${place}.protocol`, textIn(port, "protocol"), ["SCTP", "TCP", "UDP"])),
      ...(typeof port["appProtocol"] === "string"
        ? checkedText(`${place}.appProtocol`, port["appProtocol"], qualifiedNameErrors)
        : []),
    ];
  });
}

function endpointErrors(endpoints: readonly MutableJsonObject[], type: string): readonly FieldError[] {
  if (endpoints.length > MOST_ENDPOINTS) return [tooManyField("endpoints", endpoints.length, MOST_ENDPOINTS)];
  return eachItem(endpoints, "endpoints", (endpoint, at) => {
    const addresses = textsIn(endpoint, "addresses");
    const topology = objectIn(endpoint, "deprecatedTopology") ?? {};
    const place = `${at}.deprecatedTopology`;
    const count = Object.keys(topology).length;
    return [
      ...(addresses.length === 0
        ? [requiredField(`${at}.addresses`, declaredDetail("must contain at least 1 address"))]
        : []),
      ...(addresses.length > MOST_ADDRESSES ? [tooManyField(`${at}.addresses`, addresses.length, MOST_ADDRESSES)] : []),
      ...eachItem(addresses, `${at}.addresses`, (address, field) =>
        addressErrors(address, field, { type, list: `${at}.addresses` }),
      ),
      ...(typeof endpoint["nodeName"] === "string"
        ? checkedText(`${at}.nodeName`, endpoint["nodeName"], dns1123SubdomainErrors)
        : []),
      ...(count > MOST_LABELS ? [tooManyField(place, count, MOST_LABELS)] : []),
      ...labelErrors(topology, place),
      ...(typeof endpoint["hostname"] === "string"
        ? checkedText(`${at}.hostname`, endpoint["hostname"], dns1123LabelErrors)
        : []),
      ...hintErrors(objectIn(endpoint, "hints"), `${at}.hints`),
    ];
  });
}

function addressErrors(
  address: string,
  field: string,
  { type, list }: { readonly type: string; readonly list: string },
): readonly FieldError[] {
  switch (type) {
    case "IPv4":
    case "IPv6": {
      const errors = type === "IPv4" ? ipAddress(field, address) : checkedText(field, address, addressNameErrors);
      if (errors.length > 0) return errors;
      const isOther = protocolOf(address) !== (type === "IPv4" ? 4 : 6);
      return [
        ...(isOther ? [invalidField(list, address, `must be an ${type} address`)] : []),
        ...endpointAddressErrors(address, field),
      ];
    }
    case "FQDN":
      return domainErrors(address, field);
    default:
      return [];
  }
}

function domainErrors(address: string, field: string): readonly FieldError[] {
  if (address === "") return [requiredField(field)];
  const name = address.replace(/\.$/, "");
  const problems = dns1123SubdomainErrors(name);
  if (problems.length > 0) return [invalidField(field, name, problems.join(","))];
  const labels = name.split(".");
  if (labels.length < 2) {
    return [invalidField(field, name, "should be a domain with at least two segments separated by dots")];
  }
  const invalid = labels.find((label) => dns1123LabelErrors(label).length > 0);
  return invalid === undefined ? [] : [invalidField(field, invalid, dns1123LabelErrors(invalid).join(","))];
}

function hintErrors(hints: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  const lists = [
    { list: "forZones", check: labelValueErrors },
    { list: "forNodes", check: dns1123SubdomainErrors },
  ];
  const errors: FieldError[] = [];
  for (const { list, check } of lists) {
    const items = objectsIn(hints, list);
    if (items.length > MOST_HINTS) return [...errors, tooManyField(`${at}.${list}`, items.length, MOST_HINTS)];
    const names = items.map((item) => textIn(item, "name"));
    const repeated = repeatedIndexes(names);
    errors.push(
      ...eachItem(names, `${at}.${list}`, (name, place, index) => [
        ...(repeated.has(index) ? [duplicateField(`${place}.name`, name)] : []),
        ...checkedText(`${place}.name`, name, check),
      ]),
    );
  }
  return errors;
}

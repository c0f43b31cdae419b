import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";
import { deepEqual, pathSegmentErrors } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressFamily, canonicalAddress, canonicalRange, protocolOf } from "../../../address-ranges.ts";
import { objectIn, textIn, textOf, textsIn } from "../../../fields.ts";
import { declaredImmutable } from "../checks/declared-rules.ts";
import { checkedText, eachItem, isAddressRange, requiredText, supportedText } from "../checks/field-checks.ts";
import { domainPathErrors } from "./domain-path-errors.ts";

const segment = (text: string): readonly string[] => pathSegmentErrors(text, false);
const IMMUTABLE = "field is immutable";
const LONGEST_CONTROLLER = 250;

/** Returns what is wrong with an IngressClass. */
export function ingressClassErrors(ingressClass: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(ingressClass, "spec") ?? {};
  const controller = textIn(spec, "controller");
  const field = "spec.controller";
  const isChanged = old !== undefined && textIn(objectIn(old, "spec"), "controller") !== controller;
  const parameters = objectIn(spec, "parameters");
  return [
    ...(isChanged ? [invalidField(field, controller, IMMUTABLE)] : []),
    ...(controller.length > LONGEST_CONTROLLER ? [tooLongField(field, LONGEST_CONTROLLER)] : []),
    ...domainPathErrors(field, controller),
    ...(parameters === undefined ? [] : parameterErrors(parameters, "spec.parameters")),
  ];
}

function parameterErrors(parameters: MutableJsonObject, at: string): readonly FieldError[] {
  const [group, scope, namespace] = [parameters["apiGroup"], parameters["scope"], parameters["namespace"]];
  const field = `${at}.namespace`;
  return [
    ...(typeof group === "string" ? checkedText(`${at}.apiGroup`, group, dns1123SubdomainErrors) : []),
    ...requiredText(`${at}.kind`, textIn(parameters, "kind"), segment),
    ...requiredText(`${at}.name`, textIn(parameters, "name"), segment),
    ...(scope === undefined
      ? [requiredField(`${at}.scope`)]
      : supportedText(`${at}.scope`, textOf(scope), ["Cluster", "Namespace"])),
    ...(scope !== "Namespace"
      ? []
      : typeof namespace === "string"
        ? checkedText(field, namespace, dns1123LabelErrors)
        : [requiredField(field, "`parameters.scope` is set to 'Namespace'")]),
    ...(scope === "Cluster" && namespace !== undefined
      ? [forbiddenField(field, "`parameters.scope` is set to 'Cluster'")]
      : []),
  ];
}

/** Returns what is wrong with an IPAddress. */
export function addressErrors(address: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const [parent, before] = [address, old].map((each) => objectIn(objectIn(each, "spec"), "parentRef"));
  const at = "spec.parentRef";
  const isChanged = old !== undefined && !deepEqual(parent ?? null, before ?? null);
  const changed = isChanged ? [declaredImmutable(at, parent)] : [];
  if (parent === undefined) return [requiredField(at), ...changed];
  const [group, namespace] = [textIn(parent, "group"), textIn(parent, "namespace")];
  return [
    ...changed,
    ...(group === "" ? [] : checkedText(`${at}.group`, group, dns1123SubdomainErrors)),
    ...requiredText(`${at}.resource`, textIn(parent, "resource"), segment),
    ...requiredText(`${at}.name`, textIn(parent, "name"), segment),
    ...(namespace === "" ? [] : checkedText(`${at}.namespace`, namespace, segment)),
  ];
}

/** Returns what is wrong with a ServiceCIDR. */
export function serviceRangeErrors(object: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const [ranges, before] = [object, old].map((each) => textsIn(objectIn(each, "spec"), "cidrs"));
  const [after = [], former = []] = [ranges, before];
  const at = "spec.cidrs";
  if (old === undefined) return rangeErrors(after, at);
  if (former.length === after.length) {
    return eachItem(after, at, (range, place, index) =>
      range === former[index] ? [] : [invalidField(place, range, IMMUTABLE)],
    );
  }
  if (former.length !== 1 || after.length !== 2) return [invalidField(at, after, IMMUTABLE)];
  return [
    ...(after[0] === former[0] ? [] : [invalidField(`${at}[0]`, after[0], IMMUTABLE)]),
    ...rangeErrors(after, at),
  ];
}

const TWO_OF_ONE = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";

function rangeErrors(ranges: readonly string[], at: string): readonly FieldError[] {
  if (ranges.length === 0) return [requiredField(at, "at least one CIDR required")];
  if (ranges.length > 2) return [invalidField(at, { cidrs: ranges }, "may only hold up to 2 values")];
  const families = ranges.map((range) => (isAddressRange(range) ? protocolOf(range.split("/")[0] ?? "") : 0));
  const isTwice = ranges.length === 2 && families[0] === families[1] && families[0] !== 0;
  return [
    ...eachItem(ranges, at, (range, place) => canonicalRangeErrors(range, place)),
    ...(isTwice ? [invalidField(at, ranges, TWO_OF_ONE)] : []),
  ];
}

function canonicalRangeErrors(range: string, field: string): readonly FieldError[] {
  if (!isAddressRange(range)) {
    return [invalidField(field, range, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  }
  const [address = "", bits = ""] = range.split("/");
  const canonical = canonicalRange(range);
  const problem =
    /(^|\.)0\d/.test(address) || /^0\d/.test(bits)
      ? "must not have leading 0s in IP or prefix length"
      : addressFamily(address) !== addressFamily(canonicalAddress(address))
        ? "must not have an IPv4-mapped IPv6 address"
        : canonicalAddress(address) === canonical.split("/")[0]
          ? undefined
          : "must not have bits set beyond the prefix length";
  if (problem !== undefined) return [invalidField(field, range, problem)];
  return canonical === range
    ? []
    : [invalidField(field, range, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

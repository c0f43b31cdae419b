import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressFamily, canonicalAddress, protocolOf } from "../../../address-ranges.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { eachItem, ipAddress, optionalChoice, supportedText } from "../checks/field-checks.ts";
import { needsHealthCheck } from "./health-checks.ts";

const FAMILIES = ["IPv4", "IPv6"] as const;
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"] as const;
const AT = "spec.clusterIPs";

/** Returns what is wrong with the addresses and families of a Service. */
export function clusterAddressErrors(
  spec: MutableJsonObject,
  before: MutableJsonObject | undefined,
): readonly FieldError[] {
  if (textIn(spec, "type") === "ExternalName") return [];
  const addresses = textsIn(spec, "clusterIPs");
  const isMixed = addresses[0] === "None" && addresses.length > 1;
  const invalid = eachItem(addresses, AT, (address, place, index) =>
    index === 0 && address === "None" ? [] : ipAddress(place, address, textsIn(before, "clusterIPs")),
  );
  const errors = [
    ...firstAddressErrors(textIn(spec, "clusterIP"), addresses),
    ...familyErrors(textsIn(spec, "ipFamilies")),
    ...optionalChoice("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], POLICIES),
    ...(isMixed ? [invalidField(AT, addresses, "'None' must be the first and only value")] : []),
    ...invalid,
    ...(addresses.length > 2 ? [invalidField(AT, addresses, "may only hold up to 2 values")] : []),
  ];
  return isMixed || invalid.length > 0 ? errors : [...errors, ...addressFamilyErrors(spec, addresses)];
}

function firstAddressErrors(address: string, addresses: readonly string[]): readonly FieldError[] {
  if (address === "") {
    return addresses.length === 0
      ? []
      : [invalidField(AT, addresses, "must be empty when `clusterIP` is not specified")];
  }
  if (addresses.length === 0) return [requiredField(AT)];
  return addresses[0] === address ? [] : [invalidField(AT, addresses, "first value must match `clusterIP`")];
}

function familyErrors(families: readonly string[]): readonly FieldError[] {
  const repeated = repeatedIndexes(families);
  return eachItem(families, "spec.ipFamilies", (family, place, index) => [
    ...supportedText(place, family, FAMILIES),
    ...(repeated.has(index) ? [duplicateField(place, family)] : []),
  ]);
}

function addressFamilyErrors(spec: MutableJsonObject, addresses: readonly string[]): readonly FieldError[] {
  const families = textsIn(spec, "ipFamilies");
  const isDual = new Set(addresses.map(protocolOf)).size > 1;
  const errors =
    addresses.length > 1 && !isDual
      ? [invalidField(AT, addresses, "may specify no more than one IP for each IP family")]
      : [];
  if (addresses[0] === "None") return errors;
  const foreign = addresses.flatMap((address, index) => {
    const family = families[index];
    const isOther = family === "IPv4" ? protocolOf(address) === 6 : family === "IPv6" && protocolOf(address) !== 6;
    const detail = `expected an ${String(family)} value as indicated by \`ipFamilies[${index}]\``;
    return isOther ? [invalidField(`${AT}[${index}]`, address, detail)] : [];
  });
  return [...errors, ...foreign];
}

const ONCE = "may not change once set";

/** Returns what is wrong with the changes of the addresses and families of a Service. */
export function addressChangeErrors(service: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(service, "spec"), objectIn(old, "spec")];
  if (textIn(spec, "type") === "ExternalName" || textIn(before, "type") === "ExternalName") return [];
  const [isHeadless, wasHeadless] = [
    textsIn(spec, "clusterIPs")[0] === "None",
    textsIn(before, "clusterIPs")[0] === "None",
  ];
  return [
    ...(isHeadless && wasHeadless ? [] : changedList(spec, before, { field: "clusterIPs", title: "clusterIP" })),
    ...(isHeadless || wasHeadless ? [] : changedList(spec, before, { field: "ipFamilies", title: "ipFamily" })),
  ];
}

function changedList(
  spec: MutableJsonObject | undefined,
  before: MutableJsonObject | undefined,
  { field, title }: { readonly field: "clusterIPs" | "ipFamilies"; readonly title: string },
): readonly FieldError[] {
  const [values, former] = [textsIn(spec, field), textsIn(before, field)];
  const at = `spec.${field}`;
  const isFamily = field === "ipFamilies";
  if (values.length === former.length) {
    return former.flatMap((value, index) =>
      value === values[index] ? [] : [invalidField(`${at}[${isFamily ? 0 : index}]`, values, ONCE)],
    );
  }
  const isFirstChanged = former.length > 0 && values.length > 0 && values[0] !== former[0];
  const changed = isFirstChanged ? [invalidField(`${at}[0]`, values, ONCE)] : [];
  if (former.length < values.length) return changed;
  const isUnset = textsIn(spec, "clusterIPs").length === 0;
  const policy = spec?.["ipFamilyPolicy"];
  const single = `must be set to 'SingleStack' when releasing the secondary ${title}`;
  return [
    ...(isUnset ? [invalidField(`${at}[0]`, values, `primary ${title} can not be unset`)] : []),
    ...changed,
    ...(values.length === 1 && policy !== "SingleStack"
      ? [invalidField("spec.ipFamilyPolicy", policy ?? null, single)]
      : []),
  ];
}

/** Returns what is wrong with the changes of a Service that a load balancer depends on. */
export function balancerChangeErrors(service: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(service, "spec"), objectIn(old, "spec")];
  const areBalancers = spec?.["type"] === "LoadBalancer" && before?.["type"] === "LoadBalancer";
  const isSameClass = deepEqual(spec?.["loadBalancerClass"] ?? null, before?.["loadBalancerClass"] ?? null);
  const isOtherPort =
    needsHealthCheck(spec) &&
    needsHealthCheck(before) &&
    spec?.["healthCheckNodePort"] !== before?.["healthCheckNodePort"];
  return [
    ...(areBalancers && !isSameClass
      ? [invalidField("spec.loadBalancerClass", spec["loadBalancerClass"] ?? null, ONCE)]
      : []),
    ...(isOtherPort ? [forbiddenField("spec.healthCheckNodePort", "field is immutable")] : []),
  ];
}

/** Returns what is wrong with an address that traffic is sent to. */
export function endpointAddressErrors(address: string, field: string): readonly FieldError[] {
  if (protocolOf(address) === 0) return [invalidField(field, address, "must be a valid IP address")];
  const canonical = canonicalAddress(address);
  const isFour = addressFamily(canonical) === 4;
  const [first = 0, second = 0, third = 0] = canonical.split(".").map(Number);
  const problems: readonly (readonly [boolean, string])[] = [
    [canonical === "0.0.0.0" || canonical === "::", `may not be unspecified (${address})`],
    [isFour ? first === 127 : canonical === "::1", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
    [
      isFour ? first === 169 && second === 254 : /^fe[89ab]/.test(canonical),
      "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
    ],
    [
      isFour ? first === 224 && second === 0 && third === 0 : canonical.startsWith("ff02:"),
      "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
    ],
  ];
  return problems.filter(([applies]) => applies).map(([, detail]) => invalidField(field, address, detail));
}

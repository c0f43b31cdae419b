import { type FieldError, invalidField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, setAbsent, textIn, textsIn } from "../../../fields.ts";
import { clusterAddressErrors } from "./service-address-errors.ts";
import { familyOf, type IpFamily } from "./service-ranges.ts";

const POLICY = "spec.ipFamilyPolicy";

/** Keeps the addresses that a client omits, and makes `clusterIPs` follow `clusterIP`. */
export function stateAddresses(spec: MutableJsonObject, before: MutableJsonObject | undefined): void {
  if (before === undefined) {
    const address = textIn(spec, "clusterIP");
    if (address !== "" && textsIn(spec, "clusterIPs").length === 0) spec["clusterIPs"] = [address];
    return;
  }
  if (!isName(spec) && !isName(before)) keepAddresses(spec, before);
  const [address, former] = [textIn(spec, "clusterIP"), textIn(before, "clusterIP")];
  if (address === former) {
    if (textsIn(spec, "clusterIPs").length === 0 && before["clusterIPs"] !== undefined)
      spec["clusterIPs"] = before["clusterIPs"];
  } else if (isSameList(spec, before, "clusterIPs")) {
    if (address === "") delete spec["clusterIPs"];
    else spec["clusterIPs"] = [address];
  }
}

function keepAddresses(spec: MutableJsonObject, before: MutableJsonObject): void {
  if (textIn(spec, "clusterIP") === "" && before["clusterIP"] !== undefined) spec["clusterIP"] = before["clusterIP"];
  if (textsIn(spec, "clusterIPs").length === 0 && textsIn(before, "clusterIPs").length > 0)
    spec["clusterIPs"] = before["clusterIPs"];
}

const isName = (spec: MutableJsonObject): boolean => textIn(spec, "type") === "ExternalName";

function isSameList(spec: MutableJsonObject, before: MutableJsonObject, field: "clusterIPs" | "ipFamilies"): boolean {
  return deepEqual(textsIn(spec, field), textsIn(before, field));
}

/**
 * Completes the families of a Service in a cluster that has addresses of the given families, the default one first.
 *
 * Returns why it cannot; a Service for which this is so is refused without further checks.
 */
export function settleFamilies(
  spec: MutableJsonObject,
  before: MutableJsonObject | undefined,
  ofCluster: readonly IpFamily[],
): readonly FieldError[] {
  if (isName(spec) || (before !== undefined && keepsPreference(spec, before))) return [];
  const isOpen = textIn(spec, "clusterIP") === "None" && Object.keys(objectIn(spec, "selector") ?? {}).length === 0;
  const policy = before?.["ipFamilyPolicy"] ?? (isOpen ? "RequireDualStack" : "SingleStack");
  setAbsent(spec, { ipFamilyPolicy: policy });
  const addressErrors = clusterAddressErrors(spec, before);
  if (addressErrors.length > 0) return addressErrors;
  const errors = [
    ...(before === undefined ? [] : releaseErrors(spec, before)),
    ...singleStackErrors(spec),
    ...inferFamilies(spec, ofCluster),
  ];
  if (errors.length > 0) return errors;
  // Without addresses and without a selector, a Service may have families that the cluster does not.
  const missing = isOpen ? [] : missingFamilyErrors(spec, ofCluster);
  if (missing.length > 0) return missing;
  const [first = ofCluster[0], ...others] = textsIn(spec, "ipFamilies");
  const isSingle = others.length > 0 || spec["ipFamilyPolicy"] === "SingleStack" || !(isOpen || ofCluster.length > 1);
  spec["ipFamilies"] = isSingle ? [first, ...others] : [first, first === "IPv4" ? "IPv6" : "IPv4"];
  return [];
}

/** Reports whether a Service that prefers two families stays as it is, since nothing about this changes. */
export function keepsPreference(spec: MutableJsonObject, before: MutableJsonObject): boolean {
  const type = textIn(spec, "type");
  return (
    type === before["type"] &&
    ["ClusterIP", "NodePort", "LoadBalancer"].includes(type) &&
    spec["ipFamilyPolicy"] === "PreferDualStack" &&
    (before["ipFamilyPolicy"] ?? "PreferDualStack") === "PreferDualStack" &&
    isSameList(spec, before, "clusterIPs") &&
    isSameList(spec, before, "ipFamilies")
  );
}

const RELEASED = { clusterIPs: "cluster IP", ipFamilies: "IP family" } as const;

function releaseErrors(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const policy = spec["ipFamilyPolicy"];
  return (["clusterIPs", "ipFamilies"] as const).flatMap((field) => {
    const values = textsIn(spec, field);
    if (policy === "SingleStack") {
      if (values.length > 1 && isSameList(spec, before, field)) spec[field] = values.slice(0, 1);
      return [];
    }
    const isReduced = values.length > 0 && values.length < textsIn(before, field).length;
    return isReduced
      ? [invalidField(POLICY, policy, `must be 'SingleStack' to release the secondary ${RELEASED[field]}`)]
      : [];
  });
}

function singleStackErrors(spec: MutableJsonObject): readonly FieldError[] {
  const policy = spec["ipFamilyPolicy"];
  if (policy !== "SingleStack") return [];
  const mode = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return [
    ...(textsIn(spec, "clusterIPs").length === 2
      ? [invalidField(POLICY, policy, `${mode} cluster IPs are specified`)]
      : []),
    ...(textsIn(spec, "ipFamilies").length === 2
      ? [invalidField(POLICY, policy, `${mode} IP families are specified`)]
      : []),
  ];
}

// Families that are not stated follow from the addresses.
function inferFamilies(spec: MutableJsonObject, ofCluster: readonly IpFamily[]): readonly FieldError[] {
  const addresses = textsIn(spec, "clusterIPs");
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (address === "None") break;
    const families = textsIn(spec, "ipFamilies");
    if (index < families.length) continue;
    const family = familyOf(address);
    if (ofCluster.includes(family)) spec["ipFamilies"] = [...families, family];
    else
      errors.push(invalidField(`spec.clusterIPs[${index}]`, addresses, `${family} is not configured on this cluster`));
  }
  return errors;
}

function missingFamilyErrors(spec: MutableJsonObject, ofCluster: readonly IpFamily[]): readonly FieldError[] {
  const policy = spec["ipFamilyPolicy"];
  const known: readonly string[] = ofCluster;
  return [
    ...(policy === "RequireDualStack" && ofCluster.length < 2
      ? [invalidField(POLICY, policy, "this cluster is not configured for dual-stack services")]
      : []),
    ...textsIn(spec, "ipFamilies").flatMap((family, index) =>
      known.includes(family)
        ? []
        : [invalidField(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
    ),
  ];
}

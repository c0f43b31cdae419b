import {
  configMapKeyErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { protocolOf } from "../../../address-ranges.ts";
import { objectIn, objectsIn, textIn, textOf, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { addressRange, eachItem, isAddressRange, requiredText } from "../checks/field-checks.ts";
import { quantityErrors } from "../pod/resource-errors.ts";
import { nodeAnnotationErrors } from "./node-annotation-errors.ts";
import { taintErrors } from "./taint-errors.ts";

/** Returns what is wrong with a Node; a changed one keeps its addresses of Pods. */
export function nodeErrors(node: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(node, "spec") ?? {};
  const taints = taintErrors(objectsIn(spec, "taints"), "metadata.taints");
  const annotations = nodeAnnotationErrors(node.metadata.annotations);
  const errors = [...annotations, ...taints, ...amountErrors(node), ...rangeErrors(textsIn(spec, "podCIDRs"))];
  // Upstream checks the rest of a changed Node twice.
  return old === undefined
    ? errors
    : [...errors, ...annotations, ...amountErrors(node), ...changeErrors(node, old, spec), ...taints];
}

/** Returns what is wrong with a change of the status of a Node. */
export function nodeStatusErrors(node: ApiObject, old: ApiObject): readonly FieldError[] {
  const spec = objectIn(node, "spec") ?? {};
  return [
    ...nodeAnnotationErrors(node.metadata.annotations),
    ...amountErrors(node),
    ...featureErrors(textsIn(objectIn(node, "status"), "declaredFeatures")),
    ...changeErrors(node, old, spec),
    ...taintErrors(objectsIn(spec, "taints"), "metadata.taints"),
  ];
}

const FEATURE = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z0-9]+)*$/u;
const LONGEST_FEATURE = 253;
const FEATURE_RULE =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

function featureErrors(features: readonly string[]): readonly FieldError[] {
  return eachItem(features, "status.declaredFeatures", (feature, at, index) => {
    const before = features[index - 1];
    const named = `invalid feature name ${JSON.stringify(feature)}: `;
    return [
      ...(before === feature ? [duplicateField(at, feature)] : []),
      ...(before !== undefined && before > feature
        ? [invalidField(at, feature, "list must be sorted alphabetically")]
        : []),
      ...(feature.length > LONGEST_FEATURE
        ? [invalidField(at, feature, `${named}must be no more than ${LONGEST_FEATURE} characters`)]
        : FEATURE.test(feature)
          ? []
          : [invalidField(at, feature, `${named}${FEATURE_RULE}`)]),
    ];
  });
}

function amountErrors(node: ApiObject): readonly FieldError[] {
  const status = objectIn(node, "status");
  return ["capacity", "allocatable"].flatMap((part) =>
    Object.entries(objectIn(status, part) ?? {}).flatMap(([name, amount]) =>
      quantityErrors(name, textOf(amount), `status.${part}.${name}`),
    ),
  );
}

function rangeErrors(ranges: readonly string[]): readonly FieldError[] {
  const at = "spec.podCIDRs";
  const isDual = new Set(ranges.map((range) => protocolOf(range.split("/")[0] ?? ""))).size > 1;
  const unreadable = ranges.findIndex((range) => !isAddressRange(range));
  const problem = `invalid CIDR[${unreadable}]: <nil> (invalid CIDR address: ${String(ranges[unreadable])})`;
  const failed = `invalid PodCIDRs. failed to check with dual stack with error:${problem}`;
  return [
    ...eachItem(ranges, at, (range, place) => addressRange(place, range)),
    ...(ranges.length > 1 && unreadable >= 0 ? [internalFieldError(at, failed)] : []),
    ...(ranges.length > 1 && (!isDual || unreadable >= 0 || ranges.length > 2)
      ? [invalidField(at, ranges, "may specify no more than one CIDR for each IP family")]
      : []),
  ];
}

const RANGES_CHANGED = 'node updates may not change podCIDR except from "" to valid';

function changeErrors(node: ApiObject, old: ApiObject, spec: MutableJsonObject): readonly FieldError[] {
  const before = objectIn(old, "spec") ?? {};
  const [ranges, former] = [textsIn(spec, "podCIDRs"), textsIn(before, "podCIDRs")];
  const changed = former.length === ranges.length ? former.filter((range, index) => range !== ranges[index]) : [""];
  const provider = textIn(before, "providerID");
  const addresses = objectsIn(objectIn(node, "status"), "addresses");
  const repeated = repeatedIndexes(
    addresses.map((address) => JSON.stringify([textIn(address, "type"), textIn(address, "address")])),
  );
  const source = objectIn(spec, "configSource");
  return [
    ...eachItem(addresses, "status.addresses", (address, place, index) =>
      repeated.has(index)
        ? [duplicateField(place, { Type: textIn(address, "type"), Address: textIn(address, "address") })]
        : [],
    ),
    ...(former.length === 0 ? [] : changed.map(() => forbiddenField("spec.podCIDRs", RANGES_CHANGED))),
    ...(provider !== "" && provider !== textIn(spec, "providerID") ? [providerChange(textIn(spec, "providerID"))] : []),
    ...(source === undefined ? [] : configSourceErrors(source, "spec.configSource")),
    ...(textIn(before, "externalID") === textIn(spec, "externalID")
      ? []
      : [forbiddenField("spec.externalID", "may not be updated")]),
  ];
}

function providerChange(provider: string): FieldError {
  const field = "spec.providerID";
  if (!since("1.37")) return forbiddenField(field, 'node updates may not change providerID except from "" to valid');
  return invalidField(field, null, `field cannot be ${provider === "" ? "cleared" : "modified"} once set`);
}

function configSourceErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const map = objectIn(source, "configMap");
  if (map === undefined) return [invalidField(at, source, "exactly one reference subfield must be non-nil")];
  const place = `${at}.configMap`;
  return [
    ...["uid", "resourceVersion"]
      .filter((name) => textIn(map, name) !== "")
      .map((name) => forbiddenField(`${place}.${name}`, `${name} must not be set in spec`)),
    ...requiredText(`${place}.namespace`, textIn(map, "namespace"), dns1123LabelErrors),
    ...requiredText(`${place}.name`, textIn(map, "name"), dns1123SubdomainErrors),
    ...requiredText(`${place}.kubeletConfigKey`, textIn(map, "kubeletConfigKey"), configMapKeyErrors),
  ];
}

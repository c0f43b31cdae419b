import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  isZeroQuantity,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textOf } from "../../../fields.ts";
import { checkedText, eachItem, requiredText, supportedText } from "../checks/field-checks.ts";
import { CONTAINER_STATUSES } from "../pod/container-statuses.ts";

const LISTS = ["containers", "initContainers"] as const;

/** Returns what is wrong with the health of the devices that containers have, in the status of a Pod. */
export function resourceHealthErrors(status: MutableJsonObject, spec: MutableJsonObject): readonly FieldError[] {
  const extended = objectIn(status, "extendedResourceClaimStatus");
  const listed = LISTS.flatMap((list) =>
    eachItem(objectsIn(status, CONTAINER_STATUSES[list]), `status.${CONTAINER_STATUSES[list]}`, (each, at) => {
      const container = objectsIn(spec, list).find((other) => textIn(other, "name") === textIn(each, "name"));
      return eachItem(
        objectsIn(each, "allocatedResourcesStatus"),
        `${at}.allocatedResourcesStatus`,
        (allocated, place) => [
          ...(container === undefined
            ? []
            : allocatedNameErrors(textIn(allocated, "name"), place, { container, extended })),
          ...healthErrors(objectsIn(allocated, "resources"), `${place}.resources`),
        ],
      );
    }),
  );
  const ephemeral = `status.${CONTAINER_STATUSES.ephemeralContainers}`;
  return [
    ...listed,
    ...eachItem(objectsIn(status, CONTAINER_STATUSES.ephemeralContainers), ephemeral, (each, at) =>
      objectsIn(each, "allocatedResourcesStatus").length === 0
        ? []
        : [forbiddenField(`${at}.allocatedResourcesStatus`, "must not be specified in container status")],
    ),
  ];
}

interface NameContext {
  readonly container: MutableJsonObject;
  readonly extended: MutableJsonObject | undefined;
}

const CLAIM = "claim:";

function allocatedNameErrors(name: string, at: string, { container, extended }: NameContext): readonly FieldError[] {
  const resources = objectIn(container, "resources");
  if (!name.startsWith(CLAIM)) {
    return objectIn(resources, "requests")?.[name] === undefined
      ? [invalidField(`${at}.name`, name, "must match one of the container's resource requests")]
      : [];
  }
  const isKnown =
    objectsIn(resources, "claims").some((claim) => name === claimName(claim)) ||
    (since("1.37") && isExtended(name, container, extended));
  const detail = since("1.37")
    ? "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
    : "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  return isKnown ? [] : [invalidField(`${at}.name`, name, detail)];
}

function claimName(claim: MutableJsonObject): string {
  const request = textIn(claim, "request");
  return `${CLAIM}${textIn(claim, "name")}${request === "" ? "" : `/${request}`}`;
}

function isExtended(name: string, container: MutableJsonObject, extended: MutableJsonObject | undefined): boolean {
  const [claim = "", ...others] = name.slice(CLAIM.length).split("/");
  const request = others.join("/");
  if (request === "" || claim !== textIn(extended, "resourceClaimName")) return false;
  const requests = objectIn(objectIn(container, "resources"), "requests");
  return objectsIn(extended, "requestMappings").some((mapping) => {
    const amount = textOf(requests?.[textIn(mapping, "resourceName")]);
    const isOf = mapping["containerName"] === container["name"] && textIn(mapping, "requestName") === request;
    return isOf && amount !== "" && !isZeroQuantity(amount);
  });
}

const HEALTHS = ["Healthy", "Unhealthy", "Unknown"] as const;
const LONGEST_MESSAGE = 1024;

function healthErrors(resources: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const seen = new Set<string>();
  return eachItem(resources, at, (resource, place) => {
    const { message } = resource;
    const id = textIn(resource, "resourceID");
    const isTaken = seen.has(id);
    seen.add(id);
    return [
      ...supportedText(`${place}.health`, textIn(resource, "health"), HEALTHS),
      ...(message === "" ? [requiredField(`${place}.message`, "must be non-empty if specified")] : []),
      ...(textOf(message).length > LONGEST_MESSAGE ? [tooLongField(`${place}.message`, LONGEST_MESSAGE)] : []),
      ...(isTaken ? [duplicateField(`${place}.resourceID`, id)] : []),
    ];
  });
}

/** Returns what is wrong with the claim that a Pod has for its extended resources. */
export function extendedClaimErrors(
  claim: MutableJsonObject | undefined,
  spec: MutableJsonObject,
  at: string,
): readonly FieldError[] {
  if (claim === undefined) return [];
  const containers = new Map(
    LISTS.toReversed().flatMap((list) => objectsIn(spec, list).map((each) => [textIn(each, "name"), each] as const)),
  );
  const mappings = objectsIn(claim, "requestMappings");
  const seen = new Set<string>();
  return [
    ...(mappings.length === 0
      ? [requiredField(`${at}.requestMappings`, "at least one request mapping is required")]
      : []),
    ...eachItem(mappings, `${at}.requestMappings`, (mapping, place) => {
      const names = ["containerName", "resourceName", "requestName"].map((name) => textIn(mapping, name));
      const key = JSON.stringify(names);
      const isTaken = seen.has(key);
      seen.add(key);
      return [
        ...mappingErrors(mapping, containers.get(names[0] ?? ""), place),
        // Upstream names the claim in place of the mapping.
        ...checkedText(`${at}.requestName`, names[2] ?? "", dns1123LabelErrors),
        ...(isTaken
          ? ["containerName", "resourceName", "requestName"].map((name) =>
              duplicateField(`${place}.${name}`, textIn(mapping, name)),
            )
          : []),
      ];
    }),
    ...requiredText(`${at}.resourceClaimName`, textIn(claim, "resourceClaimName"), dns1123SubdomainErrors),
  ];
}

function mappingErrors(
  mapping: MutableJsonObject,
  container: MutableJsonObject | undefined,
  at: string,
): readonly FieldError[] {
  const [name, resource] = [textIn(mapping, "containerName"), textIn(mapping, "resourceName")];
  if (container === undefined) {
    const detail = "must match the name of an entry in spec.initContainers.name or spec.containers.name";
    return [invalidField(`${at}.containerName`, name, detail)];
  }
  const detail =
    "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
  return objectIn(objectIn(container, "resources"), "requests")?.[resource] === undefined
    ? [invalidField(`${at}.resourceName`, resource, detail)]
    : [];
}

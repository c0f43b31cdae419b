import {
  type FieldError,
  dns1123LabelErrors,
  forbiddenField,
  goQuote,
  invalidField,
  tooLongField,
  tooManyField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { addressFamily, canonicalAddress } from "../../../address-ranges.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { conditionErrors } from "../checks/condition-errors.ts";
import { areDeclared } from "../checks/declared-rules.ts";
import { checkedText, isAddressRange, requiredChoice, requiredTexts } from "../checks/field-checks.ts";
import { nodeSelectorErrors } from "../pod/scheduling-errors.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";
import { bindingConditionErrors } from "./binding-condition-errors.ts";
import { allocatedKeys, deviceKey } from "./claim-parts.ts";
import {
  configurationErrors,
  rawObjectErrors,
  requestNamesOf,
  requestReferenceError,
  requestReferenceErrors,
} from "./device-claim-errors.ts";
import { distinctItems, limitedItems, poolNameErrors } from "./device-names.ts";
import { deviceTolerationErrors } from "./device-taints.ts";
import { uuidErrors } from "./uuid-errors.ts";

const MOST_CONSUMERS = 256;
const MOST_RESULTS = 32;
const MOST_CONFIGS = 64;
const MOST_CONDITIONS = 8;

/** Returns what is wrong with a changed status of a claim. */
export function claimStatusErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  const status = objectIn(claim, "status") ?? {};
  const allocation = objectIn(status, "allocation");
  const former = objectIn(objectIn(old, "status"), "allocation");
  const allocated = allocatedKeys(allocation);
  const names = requestNamesOf(objectIn(objectIn(claim, "spec"), "devices"));
  return [
    ...distinctItems({
      items: objectsIn(status, "reservedFor"),
      at: "status.reservedFor",
      most: MOST_CONSUMERS,
      keyOf: (consumer) => textIn(consumer, "uid"),
      keyField: "uid",
      shownKey: shownConsumer,
      errorsOf: (consumer, place) => requiredTexts(consumer, place, ["resource", "name", "uid"]),
    }),
    ...distinctItems({
      items: objectsIn(status, "devices"),
      at: "status.devices",
      most: Number.POSITIVE_INFINITY,
      keyOf: deviceKey,
      keyField: "deviceID",
      shownKey: shownDevice,
      errorsOf: (device, place) => deviceStatusErrors(device, place, allocated),
    }),
    ...reservationErrors(claim, old),
    ...(allocation === undefined
      ? []
      : former === undefined
        ? allocationErrors(allocation, "status.allocation", names)
        : deepEqual(allocation, former)
          ? []
          : [changedAllocation(allocation)]),
  ];
}

function changedAllocation(allocation: MutableJsonObject): FieldError {
  return areDeclared()
    ? invalidField("status.allocation", null, "field cannot be modified once set")
    : invalidField("status.allocation", allocation, "field is immutable");
}

function shownConsumer(consumer: MutableJsonObject): unknown {
  if (!areDeclared()) return textIn(consumer, "uid");
  const group = textIn(consumer, "apiGroup");
  // A struct of Go, whose fields keep their order.
  return new Map([
    ...(group === "" ? [] : [["apiGroup", group] as const]),
    ...["resource", "name", "uid"].map((name) => [name, textIn(consumer, name)] as const),
  ]);
}

function shownDevice(device: MutableJsonObject): unknown {
  // A struct of Go, whose fields keep their order.
  return new Map([
    ["Driver", textIn(device, "driver")],
    ["Pool", textIn(device, "pool")],
    ["Device", textIn(device, "device")],
    ["ShareID", textIn(device, "shareID")],
  ]);
}

function reservationErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  const field = "status.reservedFor";
  const consumers = objectsIn(objectIn(claim, "status"), "reservedFor");
  if (consumers.length === 0) return [];
  if (objectIn(objectIn(claim, "status"), "allocation") === undefined)
    return [forbiddenField(field, "may not be specified when `allocated` is not set")];
  const former = objectsIn(objectIn(old, "status"), "reservedFor");
  const isAdded = consumers.some((consumer) => !former.some((other) => deepEqual(other, consumer)));
  const detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
  return claim.metadata.deletionTimestamp !== undefined && isAdded ? [forbiddenField(field, detail)] : [];
}

function allocationErrors(
  allocation: MutableJsonObject,
  at: string,
  names: ReadonlySet<string>,
): readonly FieldError[] {
  const devices = objectIn(allocation, "devices");
  const selector = objectIn(allocation, "nodeSelector");
  return [
    ...limitedItems({
      items: objectsIn(devices, "results"),
      at: `${at}.devices.results`,
      most: MOST_RESULTS,
      errorsOf: (result, place) => [
        ...requestReferenceError(textIn(result, "request"), `${place}.request`, names),
        ...deviceErrors(result, place),
        ...bindingConditionErrors(result, place),
        ...(since("1.37") ? deviceTolerationErrors(result, place) : []),
        ...shareErrors(result, place),
      ],
    }),
    ...limitedItems({
      items: objectsIn(devices, "config"),
      at: `${at}.devices.config`,
      most: MOST_CONFIGS,
      errorsOf: (config, place) => [
        ...requiredChoice(`${place}.source`, textIn(config, "source"), ["FromClaim", "FromClass"]),
        ...requestReferenceErrors(textsIn(config, "requests"), `${place}.requests`, names),
        ...configurationErrors(config, place),
      ],
    }),
    ...(selector === undefined ? [] : nodeSelectorErrors(selector, `${at}.nodeSelector`)),
  ];
}

function deviceErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...driverNameErrors(`${at}.driver`, textIn(device, "driver")),
    ...poolNameErrors(`${at}.pool`, textIn(device, "pool")),
    ...checkedText(`${at}.device`, textIn(device, "device"), dns1123LabelErrors),
  ];
}

function shareErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  const { shareID } = device;
  return typeof shareID === "string" ? uuidErrors(`${at}.shareID`, shareID) : [];
}

const LONGEST_DATA = 10 * 1024;

function deviceStatusErrors(
  device: MutableJsonObject,
  at: string,
  allocated: ReadonlySet<string>,
): readonly FieldError[] {
  const conditions = objectsIn(device, "conditions");
  return [
    ...deviceErrors(device, at),
    ...shareErrors(device, at),
    ...(allocated.has(deviceKey(device))
      ? []
      : [invalidField(at, shownDevice(device), "must be an allocated device in the claim")]),
    ...(conditions.length > MOST_CONDITIONS
      ? [tooManyField(`${at}.conditions`, conditions.length, MOST_CONDITIONS)]
      : []),
    ...conditionErrors(conditions, `${at}.conditions`),
    ...(device["data"] === undefined ? [] : rawObjectErrors(`${at}.data`, device["data"], LONGEST_DATA)),
    ...networkErrors(objectIn(device, "networkData"), `${at}.networkData`),
  ];
}

const LONGEST_INTERFACE = 256;
const LONGEST_HARDWARE_ADDRESS = 128;
const MOST_ADDRESSES = 16;

function networkErrors(network: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  const tooLong = (name: string, most: number): readonly FieldError[] =>
    Buffer.byteLength(textIn(network, name)) > most ? [tooLongField(`${at}.${name}`, most)] : [];
  return [
    ...tooLong("interfaceName", LONGEST_INTERFACE),
    ...tooLong("hardwareAddress", LONGEST_HARDWARE_ADDRESS),
    ...distinctItems({
      items: textsIn(network, "ips"),
      at: `${at}.ips`,
      most: MOST_ADDRESSES,
      keyOf: (address) => address,
      errorsOf: (address, place) => interfaceAddressErrors(place, address),
    }),
  ];
}

const CIDR_DETAIL = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";

// An address with the length of its network, in canonical form.
function interfaceAddressErrors(field: string, value: string): readonly FieldError[] {
  if (!isAddressRange(value)) return [invalidField(field, value, CIDR_DETAIL)];
  const [address = "", bits = ""] = value.split("/");
  const plain = canonicalAddress(address);
  const isMapped = addressFamily(address) === 6 && addressFamily(plain) === 4;
  const canonical = `${plain}/${isMapped ? Number(bits) - 96 : Number(bits)}`;
  return value === canonical ? [] : [invalidField(field, value, `must be in canonical form (${goQuote(canonical)})`)];
}

const ADMIN_LABEL = "resource.kubernetes.io/admin-access";

/** Returns an error where a namespace does not allow the access of administrators that a request or a result has. */
export function adminAccessErrors(
  isGranted: boolean,
  items: readonly (MutableJsonObject | undefined)[],
  at: string,
): readonly FieldError[] {
  const index = items.findIndex((item) => item?.["adminAccess"] === true);
  if (index < 0 || isGranted) return [];
  const detail = `admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`;
  return [forbiddenField(`${at}[${index}].adminAccess`, detail)];
}

/** Reports whether a namespace allows the access of administrators to devices. */
export function grantsAdminAccess(namespace: ApiObject | undefined): boolean {
  return namespace?.metadata.labels?.[ADMIN_LABEL] === "true";
}

import {
  type FieldError,
  forbiddenField,
  invalidField,
  portNameErrors,
  portNumberErrors,
  requiredField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { isStrictSubset } from "../../../address-ranges.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { addressRange, checkedText, eachItem, isAddressRange, optionalChoice } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";

const TYPES = ["Ingress", "Egress"] as const;

/** Returns what is wrong with a NetworkPolicy; ranges of the old one are accepted. */
export function networkPolicyErrors(policy: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(policy, "spec") ?? {};
  const former = old === undefined ? [] : rangesOf(objectIn(old, "spec") ?? {});
  const types = textsIn(spec, "policyTypes");
  const tooMany = invalidField("spec.policyTypes", types, "may not specify more than two policyTypes");
  return [
    ...labelSelectorErrors(objectIn(spec, "podSelector"), "spec.podSelector"),
    ...DIRECTIONS.flatMap(({ list, peers }) =>
      eachItem(objectsIn(spec, list), `spec.${list}`, (rule, at) => [
        ...eachItem(objectsIn(rule, "ports"), `${at}.ports`, portErrors),
        ...eachItem(objectsIn(rule, peers), `${at}.${peers}`, (peer, place) => peerErrors(peer, place, former)),
      ]),
    ),
    ...(types.length > TYPES.length
      ? [tooMany]
      : eachItem(types, "spec.policyTypes", (type, place) => optionalChoice(place, type, TYPES))),
  ];
}

const DIRECTIONS = [
  { list: "ingress", peers: "from" },
  { list: "egress", peers: "to" },
] as const;

function rangesOf(spec: MutableJsonObject): readonly string[] {
  return DIRECTIONS.flatMap(({ list, peers }) =>
    objectsIn(spec, list)
      .flatMap((rule) => objectsIn(rule, peers))
      .flatMap((peer) => {
        const block = objectIn(peer, "ipBlock");
        return block === undefined ? [] : [textIn(block, "cidr"), ...textsIn(block, "except")];
      }),
  );
}

function portErrors(port: MutableJsonObject, at: string): readonly FieldError[] {
  const end = numberIn(port, "endPort");
  const number = port["port"];
  const field = `${at}.endPort`;
  const errors = optionalChoice(`${at}.protocol`, port["protocol"], ["TCP", "UDP", "SCTP"]);
  if (typeof number === "number") {
    return [
      ...errors,
      ...portNumberErrors(number).map((problem) => invalidField(`${at}.port`, number, problem)),
      ...(end !== undefined && end < number
        ? [invalidField(field, since("1.37") ? end : number, "must be greater than or equal to `port`")]
        : []),
      ...(end === undefined ? [] : portNumberErrors(end).map((problem) => invalidField(field, end, problem))),
    ];
  }
  const missing = typeof number === "string" ? "non-numeric" : "not specified";
  return [
    ...errors,
    ...(end === undefined ? [] : [invalidField(field, end, `may not be specified when \`port\` is ${missing}`)]),
    ...(typeof number === "string" ? checkedText(`${at}.port`, number, portNameErrors) : []),
  ];
}

function peerErrors(peer: MutableJsonObject, at: string, former: readonly string[]): readonly FieldError[] {
  const selectors = ["podSelector", "namespaceSelector"].filter((name) => objectIn(peer, name) !== undefined);
  const block = objectIn(peer, "ipBlock");
  return [
    ...selectors.flatMap((name) => labelSelectorErrors(objectIn(peer, name), `${at}.${name}`)),
    ...(block === undefined ? [] : blockErrors(block, `${at}.ipBlock`, former)),
    ...(selectors.length === 0 && block === undefined ? [requiredField(at, "must specify a peer")] : []),
    ...(selectors.length > 0 && block !== undefined
      ? [forbiddenField(at, "may not specify both ipBlock and another peer")]
      : []),
  ];
}

function blockErrors(block: MutableJsonObject, at: string, former: readonly string[]): readonly FieldError[] {
  const range = textIn(block, "cidr");
  if (range === "") return [requiredField(`${at}.cidr`)];
  const errors = addressRange(`${at}.cidr`, range, former);
  if (!isAddressRange(range)) return errors;
  return [
    ...errors,
    ...eachItem(textsIn(block, "except"), `${at}.except`, (except, place) => [
      ...addressRange(place, except, former),
      ...(!isAddressRange(except) || isStrictSubset(except, range)
        ? []
        : [invalidField(place, except, "must be a strict subset of `cidr`")]),
    ]),
  ];
}

import { groupKindToString, type GroupKind } from "@kubescaffold/k8s";

import type { Release } from "../../release/release.ts";
import { inRelease, rulesIn, since } from "../../release/rule-release.ts";
import type { MutableJsonObject } from "../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../fields.ts";
import type { TableColumns } from "../registry.ts";
import { selectorText } from "../selection.ts";
import { AGE, CREATED_AT, NAME, tableOf, type Column, column, count, joined, wide, scalarText } from "./columns.ts";
import { CORE_COLUMNS, eventColumns } from "./core-columns.ts";
import { WORKLOAD_COLUMNS } from "./workload-columns.ts";

/** Returns the columns of a built-in kind on servers of a release; those without columns of their own show their name and when they were created. */
export function builtInColumns(release: Release, groupKind: GroupKind): TableColumns {
  const kind = groupKindToString(groupKind);
  const columns = inRelease(release, () => RELEASE_COLUMNS[kind]?.()) ?? COLUMNS[kind] ?? [NAME, CREATED_AT];
  return rulesIn(release, tableOf(columns));
}

/** The columns of kinds that not all releases have, and undefined where the release has those of all. */
const RELEASE_COLUMNS: Readonly<Record<string, () => readonly Column[] | undefined>> = {
  ServiceAccount: () =>
    since("1.35") ? undefined : [NAME, count("Secrets", (account) => objectsIn(account, "secrets").length), AGE],
  "CustomResourceDefinition.apiextensions.k8s.io": () => (since("1.37") ? DEFINITION_COLUMNS : undefined),
};

type Object = MutableJsonObject;
const spec = (object: Object): Object | undefined => objectIn(object, "spec");
const RBAC = "rbac.authorization.k8s.io";
const flag = (name: string, cell: (object: Object) => boolean): Column => column(name, cell, { type: "boolean" });
const webhooks = count("Webhooks", (object) => objectsIn(object, "webhooks").length);

const BINDING: readonly Column[] = [
  NAME,
  column("Role", (binding) => {
    const reference = objectIn(binding, "roleRef");
    return `${textIn(reference, "kind")}/${textIn(reference, "name")}`;
  }),
  AGE,
  wide("Users", (binding) => subjects(binding, "User")),
  wide("Groups", (binding) => subjects(binding, "Group")),
  wide("ServiceAccounts", (binding) => subjects(binding, "ServiceAccount")),
];

const POLICY_BINDING: readonly Column[] = [
  NAME,
  column("PolicyName", (binding) => textIn(spec(binding), "policyName")),
  column("ParamRef", (binding) => paramRefText(objectIn(spec(binding), "paramRef"))),
  AGE,
];

/** The columns of the kinds of other groups than the core group and those of workloads. */
const API_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  [`Role.${RBAC}`]: [NAME, CREATED_AT],
  [`ClusterRole.${RBAC}`]: [NAME, CREATED_AT],
  [`RoleBinding.${RBAC}`]: BINDING,
  [`ClusterRoleBinding.${RBAC}`]: BINDING,
  "CustomResourceDefinition.apiextensions.k8s.io": [NAME, CREATED_AT],
  "Event.events.k8s.io": eventColumns({ object: "regarding", message: "note", source: "deprecatedSource" }),
  "Lease.coordination.k8s.io": [NAME, column("Holder", (lease) => textIn(spec(lease), "holderIdentity")), AGE],
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": policyColumns("Mutations"),
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": POLICY_BINDING,
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": policyColumns("Validations"),
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": POLICY_BINDING,
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": [NAME, webhooks, AGE],
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": [NAME, webhooks, AGE],
  "APIService.apiregistration.k8s.io": [
    NAME,
    column("Service", apiServiceTarget),
    column("Available", apiServiceState),
    AGE,
  ],
  "Ingress.networking.k8s.io": [
    NAME,
    column("Class", (ingress) => textIn(spec(ingress), "ingressClassName") || "<none>"),
    column("Hosts", (ingress) =>
      joined(
        objectsIn(spec(ingress), "rules").map((rule) => textIn(rule, "host") || "*"),
        "*",
      ),
    ),
    column("Address", ingressAddress),
    column("Ports", (ingress) => (objectsIn(spec(ingress), "tls").length > 0 ? "80, 443" : "80")),
    AGE,
  ],
  "IngressClass.networking.k8s.io": [
    { ...NAME, cell: ingressClassName },
    column("Controller", (object) => textIn(spec(object), "controller")),
    column("Parameters", (object) => parametersText(objectIn(spec(object), "parameters"))),
    AGE,
  ],
  "NetworkPolicy.networking.k8s.io": [
    NAME,
    column("Pod-Selector", (policy) => selectorText(objectIn(spec(policy), "podSelector")) || "<none>"),
    AGE,
  ],
  "EndpointSlice.discovery.k8s.io": [
    NAME,
    column("AddressType", (slice) => textIn(slice, "addressType")),
    column("Ports", (slice) =>
      joined(
        objectsIn(slice, "ports").map((port) => scalarText(port["port"], "*")),
        "<unset>",
      ),
    ),
    column("Endpoints", sliceEndpoints),
    AGE,
  ],
  "StorageClass.storage.k8s.io": [
    NAME,
    column("Provisioner", (object) => textIn(object, "provisioner")),
    column("ReclaimPolicy", (object) => textIn(object, "reclaimPolicy")),
    column("VolumeBindingMode", (object) => textIn(object, "volumeBindingMode")),
    column("AllowVolumeExpansion", (object) => String(object["allowVolumeExpansion"] === true)),
    AGE,
  ],
  "PriorityClass.scheduling.k8s.io": [
    NAME,
    count("Value", (object) => numberIn(object, "value") ?? 0),
    flag("Global-Default", (object) => object["globalDefault"] === true),
    AGE,
    column("PreemptionPolicy", (object) => textIn(object, "preemptionPolicy")),
  ],
  "RuntimeClass.node.k8s.io": [NAME, column("Handler", (object) => textIn(object, "handler")), AGE],
};

function policyColumns(expressions: "Mutations" | "Validations"): readonly Column[] {
  return [
    NAME,
    count(expressions, (policy) => objectsIn(spec(policy), expressions.toLowerCase()).length),
    column("ParamKind", (policy) => {
      const kind = objectIn(spec(policy), "paramKind");
      return kind === undefined ? "<unset>" : `${textIn(kind, "apiVersion")}/${textIn(kind, "kind")}`;
    }),
    AGE,
  ];
}

// Selectors are printed as Go prints their structs.
function paramRefText(reference: Object | undefined): string {
  const name = textIn(reference, "name");
  if (name !== "") return `${textIn(reference, "namespace") || "*"}/${name}`;
  const selector = objectIn(reference, "selector");
  if (selector === undefined) return "<unset>";
  const labels = Object.entries(objectIn(selector, "matchLabels") ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}: ${String(value)},`);
  const expressions = objectsIn(selector, "matchExpressions").map(
    (each) =>
      `LabelSelectorRequirement{Key:${textIn(each, "key")},Operator:${textIn(each, "operator")},Values:[${textsIn(each, "values").join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

function subjects(binding: Object, kind: string): string {
  return objectsIn(binding, "subjects")
    .filter((subject) => subject["kind"] === kind)
    .map((subject) =>
      kind === "ServiceAccount"
        ? `${textIn(subject, "namespace")}/${textIn(subject, "name")}`
        : textIn(subject, "name"),
    )
    .join(", ");
}

function apiServiceTarget(service: Object): string {
  const target = objectIn(spec(service), "service");
  return target === undefined ? "Local" : `${textIn(target, "namespace")}/${textIn(target, "name")}`;
}

function apiServiceState(service: Object): string {
  const condition = objectsIn(objectIn(service, "status"), "conditions").find((each) => each["type"] === "Available");
  if (condition === undefined) {
    return "Unknown";
  }
  const state = textIn(condition, "status");
  return state === "True" ? state : `${state} (${textIn(condition, "reason")})`;
}

function ingressAddress(ingress: Object): string {
  const addresses = objectsIn(objectIn(objectIn(ingress, "status"), "loadBalancer"), "ingress");
  return addresses.map((address) => textIn(address, "ip") || textIn(address, "hostname")).join(",");
}

function parametersText(parameters: Object | undefined): string {
  if (parameters === undefined) {
    return "<none>";
  }
  const group = textIn(parameters, "apiGroup");
  return `${textIn(parameters, "kind")}${group === "" ? "" : `.${group}`}/${textIn(parameters, "name")}`;
}

const COLUMNS: Readonly<Record<string, readonly Column[]>> = { ...CORE_COLUMNS, ...WORKLOAD_COLUMNS, ...API_COLUMNS };

const MOST_ENDPOINTS = 3;

function sliceEndpoints(slice: Object): string {
  const addresses = objectsIn(slice, "endpoints").flatMap((endpoint) => textsIn(endpoint, "addresses"));
  const rest = addresses.length - MOST_ENDPOINTS;
  return rest > 0 ? `${addresses.slice(0, MOST_ENDPOINTS).join(",")} + ${rest} more...` : joined(addresses, "<unset>");
}

const INGRESS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";

function ingressClassName(object: Object): string {
  const metadata = objectIn(object, "metadata");
  const isDefault = objectIn(metadata, "annotations")?.[INGRESS_DEFAULT] === "true";
  return isDefault && since("1.36") ? `${textIn(metadata, "name")} (default)` : textIn(metadata, "name");
}

const wideFlag = (name: string, cell: (object: Object) => boolean): Column =>
  column(name, cell, { type: "boolean", priority: 1 });

const DEFINITION_COLUMNS: readonly Column[] = [
  NAME,
  column("Scope", (definition) => textIn(spec(definition), "scope")),
  column("Versions", servedVersions),
  CREATED_AT,
  wide("Group", (definition) => textIn(spec(definition), "group")),
  wide("Kind", (definition) => textIn(objectIn(spec(definition), "names"), "kind")),
  wide("ShortNames", (definition) => textsIn(objectIn(spec(definition), "names"), "shortNames").join(",")),
  wideFlag("Established", (definition) =>
    objectsIn(objectIn(definition, "status"), "conditions").some(
      (condition) => textIn(condition, "type") === "Established" && textIn(condition, "status") === "True",
    ),
  ),
];

function servedVersions(definition: Object): string {
  return objectsIn(spec(definition), "versions")
    .filter((version) => version["served"] === true)
    .map((version) => `${textIn(version, "name")}${version["storage"] === true ? "(storage)" : ""}`)
    .sort()
    .join(",");
}

import { isIP } from "node:net";

import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  portNameErrors,
  portNumberErrors,
  requiredField,
  unsupportedField,
  wildcardSubdomainErrors,
} from "@kubescaffold/k8s";
import { pathSegmentErrors } from "@kubescaffold/schema/values";

import { isEnabled } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { balancerWarnings } from "../warnings/service-warnings.ts";
import { ingressStatusErrors } from "./load-balancer-errors.ts";

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";
const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];
const FORBIDDEN_IN_PATHS = ["//", "/./", "/../", "%2f", "%2F"];
const FORBIDDEN_AT_END = ["/..", "/."];

/** Checks of Ingresses. */
export const ingressChecks: BuiltInChecks = {
  validate: (ingress, _context, old) => [
    ...specErrors(objectIn(ingress, "spec")),
    ...(old === undefined ? classConflict(ingress) : []),
  ],
  validateStatus: (ingress, old) => ingressStatusErrors(ingress, old),
  warnings: (ingress, old) =>
    old === undefined && hasAnnotationAlone(ingress)
      ? [`annotation ${JSON.stringify(CLASS_ANNOTATION)} is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  statusWarnings: (ingress) => balancerWarnings(ingress),
};

function hasAnnotationAlone(ingress: ApiObject): boolean {
  const isAnnotated = ingress.metadata.annotations?.[CLASS_ANNOTATION] !== undefined;
  return isAnnotated && objectIn(ingress, "spec")?.["ingressClassName"] === undefined;
}

function specErrors(spec: MutableJsonObject | undefined): readonly FieldError[] {
  const [rules, backend] = [objectsIn(spec, "rules"), objectIn(spec, "defaultBackend")];
  const isEmpty = rules.length === 0 && backend === undefined;
  const className = spec?.["ingressClassName"] === undefined ? undefined : textIn(spec, "ingressClassName");
  return [
    ...(isEmpty ? [invalidField("spec", null, "either `defaultBackend` or `rules` must be specified")] : []),
    ...(backend === undefined ? [] : backendErrors(backend, "spec.defaultBackend")),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...objectsIn(spec, "tls").flatMap((entry, index) => certificateErrors(entry, `spec.tls[${index}]`)),
    ...(className === undefined ? [] : nameErrors("spec.ingressClassName", className, dns1123SubdomainErrors)),
  ];
}

function ruleErrors(rule: MutableJsonObject, at: string): readonly FieldError[] {
  const [host, http] = [textIn(rule, "host"), objectIn(rule, "http")];
  const paths = objectsIn(http, "paths");
  return [
    ...(isIP(host) === 0 ? [] : [invalidField(`${at}.host`, host, "must be a DNS name, not an IP address")]),
    ...(host === "" ? [] : hostErrors(host, `${at}.host`)),
    ...(http !== undefined && paths.length === 0 ? [requiredField(`${at}.http.paths`)] : []),
    ...paths.flatMap((path, index) => pathErrors(path, `${at}.http.paths[${index}]`)),
  ];
}

function certificateErrors(entry: MutableJsonObject, at: string): readonly FieldError[] {
  const secret = textIn(entry, "secretName");
  return [
    ...textsIn(entry, "hosts").flatMap((host, index) => hostErrors(host, `${at}.hosts[${index}]`)),
    ...(secret === "" ? [] : nameErrors(`${at}.secretName`, secret, dns1123SubdomainErrors)),
  ];
}

function hostErrors(host: string, field: string): readonly FieldError[] {
  return nameErrors(field, host, host.includes("*") ? wildcardSubdomainErrors : dns1123SubdomainErrors);
}

function pathErrors(path: MutableJsonObject, at: string): readonly FieldError[] {
  const type = textIn(path, "pathType");
  if (path["pathType"] === undefined) return [requiredField(`${at}.pathType`, "pathType must be specified")];
  const backend = objectIn(path, "backend") ?? {};
  return [...pathTextErrors(textIn(path, "path"), type, at), ...backendErrors(backend, `${at}.backend`)];
}

function pathTextErrors(text: string, type: string, at: string): readonly FieldError[] {
  if (!PATH_TYPES.includes(type)) return [unsupportedField(`${at}.pathType`, type, PATH_TYPES)];
  const isOpen = type === "ImplementationSpecific";
  const isRelative = !text.startsWith("/") && !(isOpen && text === "");
  const problems = [
    ...(isRelative ? ["must be an absolute path"] : []),
    ...(isOpen
      ? []
      : FORBIDDEN_IN_PATHS.filter((part) => text.includes(part)).map((part) => `must not contain '${part}'`)),
    ...(isOpen ? [] : FORBIDDEN_AT_END.filter((end) => text.endsWith(end)).map((end) => `cannot end with '${end}'`)),
  ];
  return problems.map((problem) => invalidField(`${at}.path`, text, problem));
}

function backendErrors(backend: MutableJsonObject, at: string): readonly FieldError[] {
  const [service, resource] = [objectIn(backend, "service"), objectIn(backend, "resource")];
  if (service !== undefined && resource !== undefined) {
    return [invalidField(at, "", "cannot set both resource and service backends")];
  }
  if (resource !== undefined) return resourceErrors(resource, `${at}.resource`);
  if (service === undefined) return [invalidField(at, "", "resource or service backend is required")];
  const name = textIn(service, "name");
  return [
    ...(name === ""
      ? [requiredField(`${at}.service.name`)]
      : nameErrors(`${at}.service.name`, name, serviceNameErrors)),
    ...portErrors(objectIn(service, "port"), at),
  ];
}

function serviceNameErrors(name: string): readonly string[] {
  return isEnabled("RelaxedServiceNameValidation") ? dns1123LabelErrors(name) : dns1035LabelErrors(name);
}

function portErrors(port: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  const [name, number] = [textIn(port, "name"), numberIn(port, "number") ?? 0];
  if (name !== "" && number !== 0) return [invalidField(at, "", "cannot set both port name & port number")];
  if (name !== "") return nameErrors(`${at}.service.port.name`, name, portNameErrors);
  if (number === 0) return [requiredField(at, "port name or number is required")];
  return portNumberErrors(number).map((problem) => invalidField(`${at}.service.port.number`, number, problem));
}

function resourceErrors(resource: MutableJsonObject, at: string): readonly FieldError[] {
  const group = typeof resource["apiGroup"] === "string" ? resource["apiGroup"] : undefined;
  return [
    ...(group === undefined ? [] : nameErrors(`${at}.apiGroup`, group, dns1123SubdomainErrors)),
    ...["kind", "name"].flatMap((field) => {
      const value = textIn(resource, field);
      return value === ""
        ? [requiredField(`${at}.${field}`)]
        : nameErrors(`${at}.${field}`, value, (each) => pathSegmentErrors(each, false));
    }),
  ];
}

function nameErrors(
  field: string,
  value: string,
  problemsOf: (value: string) => readonly string[],
): readonly FieldError[] {
  return problemsOf(value).map((problem) => invalidField(field, value, problem));
}

function classConflict(ingress: ApiObject): readonly FieldError[] {
  const annotation = ingress.metadata.annotations?.[CLASS_ANNOTATION];
  const spec = objectIn(ingress, "spec");
  if (annotation === undefined || spec?.["ingressClassName"] === undefined) return [];
  if (annotation === textIn(spec, "ingressClassName")) return [];
  const problem = "must match `ingressClassName` when both are specified";
  return [invalidField(`annotations.${CLASS_ANNOTATION}`, annotation, problem)];
}

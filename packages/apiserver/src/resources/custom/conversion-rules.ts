import { X509Certificate } from "node:crypto";

import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  forbiddenField,
  invalidField as invalid,
  requiredField as required,
  unsupportedField as notSupported,
  type FieldError,
} from "@kubescaffold/k8s";

import { repeatedIndexes } from "../repeated-indexes.ts";
import { webhookUrlErrors } from "../webhook-url-errors.ts";
import type { CrdConversion, CrdObject } from "./crd-object.ts";
import { hasCondition } from "./crd-object.ts";

type ClientConfig = NonNullable<NonNullable<CrdConversion["webhook"]>["clientConfig"]>;

const PATH = "spec.conversion";
// Where the server's own form of definitions has it.
const CLIENT_PATH = `${PATH}.webhookClientConfig`;

/** Returns what is wrong with how a CRD converts its objects; `previous` is the stored one. */
export function conversionErrors({ spec }: CrdObject, previous: CrdObject | undefined): readonly FieldError[] {
  const { conversion } = spec;
  if (conversion === undefined) {
    return [];
  }
  const { strategy, webhook } = conversion;
  if (strategy !== "Webhook") {
    return [
      ...(strategy === "None" ? [] : [strategyError(strategy)]),
      ...(webhook === undefined ? [] : [notForStrategy(CLIENT_PATH)]),
      ...((webhook?.conversionReviewVersions ?? []).length === 0
        ? []
        : [notForStrategy(`${PATH}.conversionReviewVersions`)]),
    ];
  }
  return [
    ...(webhook?.clientConfig === undefined
      ? [required(CLIENT_PATH, "required when strategy is set to Webhook")]
      : clientConfigErrors(webhook.clientConfig, previous)),
    ...reviewVersionErrors(webhook?.conversionReviewVersions ?? []),
  ];
}

/** Reports whether a CRD converts by a webhook whose authority cannot be read. */
export function hasInvalidCaBundle({ spec }: CrdObject): boolean {
  const caBundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  return (caBundle ?? "") !== "" && !isCaBundle(caBundle ?? "");
}

function strategyError(strategy: string | undefined): FieldError {
  return (strategy ?? "") === ""
    ? required(`${PATH}.strategy`)
    : notSupported(`${PATH}.strategy`, strategy ?? "", ["None", "Webhook"]);
}

function notForStrategy(field: string): FieldError {
  return forbiddenField(field, "should not be set when strategy is not set to Webhook");
}

function clientConfigErrors(config: ClientConfig, previous: CrdObject | undefined): readonly FieldError[] {
  const { url, service, caBundle = "" } = config;
  // A definition that is not served yet, or whose authority was unreadable before, may have an unreadable one.
  const mayBeInvalid = previous === undefined || !hasCondition(previous, "Established") || hasInvalidCaBundle(previous);
  return [
    ...((url === undefined) === (service === undefined)
      ? [required(CLIENT_PATH, "exactly one of url or service is required")]
      : url === undefined
        ? serviceErrors(service ?? {})
        : webhookUrlErrors(url, `${CLIENT_PATH}.url`)),
    ...(caBundle === "" || mayBeInvalid || isCaBundle(caBundle)
      ? []
      : [
          invalid(
            `${CLIENT_PATH}.caBundle`,
            caBundle,
            "unable to load root certificates: unable to parse bytes as PEM block",
          ),
        ]),
  ];
}

function serviceErrors(service: Partial<NonNullable<ClientConfig["service"]>>): readonly FieldError[] {
  const { name = "", namespace = "", port = 443, path = "" } = service;
  const field = `${CLIENT_PATH}.service`;
  return [
    ...(name === "" ? [required(`${field}.name`)] : []),
    ...(namespace === "" ? [required(`${field}.namespace`)] : []),
    ...(port >= 1 && port <= 65_535
      ? []
      : [invalid(`${field}.port`, port, "port is not valid: must be between 1 and 65535, inclusive")]),
    ...pathErrors(`${field}.path`, path),
  ];
}

function pathErrors(field: string, path: string): readonly FieldError[] {
  if (path === "" || path === "/") {
    return [];
  }
  if (path === "//") {
    return [invalid(field, path, "segment[0] may not be empty")];
  }
  const segments = path.slice(1).replace(/\/$/u, "").split("/");
  return [
    ...(path.startsWith("/") ? [] : [invalid(field, path, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ""
        ? [invalid(field, path, `segment[${index}] may not be empty`)]
        : dns1123SubdomainErrors(segment).map((detail) => invalid(field, path, `segment[${index}]: ${detail}`)),
    ),
  ];
}

function reviewVersionErrors(versions: readonly string[]): readonly FieldError[] {
  const field = `${PATH}.conversionReviewVersions`;
  if (versions.length === 0) {
    return [required(field)];
  }
  const repeated = repeatedIndexes(versions);
  const errors = versions.flatMap((version, index) =>
    repeated.has(index)
      ? [invalid(`${field}[${index}]`, version, "duplicate version")]
      : dns1035LabelErrors(version).map((detail) => invalid(`${field}[${index}]`, version, detail)),
  );
  return versions.includes("v1") || versions.includes("v1beta1")
    ? errors
    : [...errors, invalid(field, versions, "must include at least one of v1, v1beta1")];
}

function isCaBundle(caBundle: string): boolean {
  try {
    return new X509Certificate(Buffer.from(caBundle, "base64")).subject !== undefined;
  } catch {
    return false;
  }
}

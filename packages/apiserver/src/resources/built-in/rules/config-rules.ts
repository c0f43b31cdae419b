import {
  configMapKeyErrors,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject } from "../../../storage/api-object.ts";
import { objectIn, setEmpty, statesEmpty, textIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { keyPairWarnings } from "./warnings/key-pair-warnings.ts";

const MOST_BYTES = 1024 * 1024;
const IMMUTABLE = "field is immutable when `immutable` is set";

/** Rules of ConfigMaps beyond their schema. */
export const configMapRules: BuiltInRules = {
  validate: (object) => [
    ...keyErrors(object, "data"),
    ...keyErrors(object, "binaryData"),
    ...sharedKeyErrors(object),
    ...sizeErrors(object, ["data", "binaryData"], "[]"),
  ],
  validateUpdate: (object, old) => immutableErrors(object, old, ["data", "binaryData"], ["binaryData"]),
};

/** Rules of Secrets beyond their schema. */
export const secretRules: BuiltInRules = {
  selectableFields: { type: (secret) => textIn(secret, "type") },
  setDefaults: (secret) => {
    setEmpty(secret, { type: "Opaque" });
    mergeStringData(secret);
  },
  validate: (secret) => [...keyErrors(secret, "data"), ...sizeErrors(secret, ["data"], "data"), ...typeErrors(secret)],
  validateUpdate: (secret, old) => [
    ...(secret["type"] === old["type"] ? [] : [invalidField("type", secret["type"], "field is immutable")]),
    ...immutableErrors(secret, old, ["data"], ["data"]),
  ],
  warnings: (secret) => keyPairWarnings(secret),
};

// Write-only: what is given as text is stored as base64.
function mergeStringData(secret: ApiObject): void {
  const text = objectIn(secret, "stringData");
  if (!isEmptyMap(text)) {
    const encoded = Object.entries(text ?? {}).map(([key, value]) => [
      key,
      Buffer.from(String(value)).toString("base64"),
    ]);
    secret["data"] = { ...objectIn(secret, "data"), ...Object.fromEntries(encoded) };
  }
  delete secret["stringData"];
}

function keyErrors(object: ApiObject, field: string): readonly FieldError[] {
  return Object.keys(objectIn(object, field) ?? {}).flatMap((key) =>
    configMapKeyErrors(key).map((detail) => invalidField(`${field}[${key}]`, key, detail)),
  );
}

function sharedKeyErrors(object: ApiObject): readonly FieldError[] {
  const binary = objectIn(object, "binaryData") ?? {};
  return Object.keys(objectIn(object, "data") ?? {})
    .filter((key) => Object.hasOwn(binary, key))
    .map((key) => invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
}

function sizeErrors(object: ApiObject, fields: readonly string[], path: string): readonly FieldError[] {
  let bytes = 0;
  for (const field of fields) {
    for (const value of Object.values(objectIn(object, field) ?? {})) {
      bytes +=
        field === "data" && path === "[]"
          ? Buffer.byteLength(String(value))
          : Buffer.byteLength(String(value), "base64");
    }
  }
  return bytes > MOST_BYTES ? [tooLongField(path, MOST_BYTES)] : [];
}

// Upstream stores no empty maps, from which those that a request states are different, unless the map has a default.
function immutableErrors(
  object: ApiObject,
  old: ApiObject,
  fields: readonly string[],
  withoutDefault: readonly string[],
): readonly FieldError[] {
  if (old["immutable"] !== true) {
    return [];
  }
  return [
    ...(object["immutable"] === true ? [] : [forbiddenField("immutable", IMMUTABLE)]),
    ...fields
      .filter((field) => {
        if (withoutDefault.includes(field) && object[field] === undefined && statesEmpty(object, field)) return true;
        return !deepEqual(object[field] ?? {}, old[field] ?? {});
      })
      .map((field) => forbiddenField(field, IMMUTABLE)),
  ];
}

function isEmptyMap(value: unknown): boolean {
  return Object.keys(value ?? {}).length === 0;
}

const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

function typeErrors(secret: ApiObject): readonly FieldError[] {
  const type = textIn(secret, "type");
  const data = objectIn(secret, "data") ?? {};
  const missing = (REQUIRED_KEYS[type] ?? []).filter((key) => !Object.hasOwn(data, key));
  const errors = missing.map((key) => requiredField(`data[${key}]`));
  const account = "kubernetes.io/service-account.name";
  if (type === "kubernetes.io/service-account-token" && (secret.metadata.annotations?.[account] ?? "") === "") {
    errors.push(requiredField(`metadata.annotations[${account}]`));
  }
  if (type === "kubernetes.io/basic-auth" && !Object.hasOwn(data, "username") && !Object.hasOwn(data, "password")) {
    errors.push(requiredField("data[username]"), requiredField("data[password]"));
  }
  return errors;
}

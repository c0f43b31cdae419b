import { type FieldError, forbiddenField, invalidField, requiredField } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { eachItem, fileMode, fileUser, unreservedPath } from "../checks/field-checks.ts";
import { type PathConflict, podCertificateErrors, trustBundleErrors } from "./credential-projection-errors.ts";

const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;
const KINDS = [
  "secret",
  "configMap",
  "downwardAPI",
  "serviceAccountToken",
  "clusterTrustBundle",
  "podCertificate",
] as const;

/** Returns what is wrong with the sources of a projected volume. */
export function projectionErrors(
  volume: MutableJsonObject,
  at: string,
  downwardFileErrors: (file: MutableJsonObject, at: string) => readonly FieldError[],
): readonly FieldError[] {
  const paths = new Set<string>();
  const conflict: PathConflict = (path, shown) => {
    if (path === "") return [];
    const isTaken = paths.has(path);
    paths.add(path);
    return isTaken ? [invalidField(at, shown, "conflicting duplicate paths")] : [];
  };
  return eachItem(objectsIn(volume, "sources"), `${at}.sources`, (source, place) => {
    const files = ["secret", "configMap"].flatMap((kind) => {
      const projected = objectIn(source, kind);
      return projected === undefined ? [] : mappedErrors(projected, `${place}.${kind}`, conflict);
    });
    const downward = objectsIn(objectIn(source, "downwardAPI"), "items").flatMap((file) => [
      ...downwardFileErrors(file, `${place}.downwardAPI`),
      ...conflict(textIn(file, "path"), textIn(file, "path")),
    ]);
    const token = objectIn(source, "serviceAccountToken");
    const [bundle, certificate] = [objectIn(source, "clusterTrustBundle"), objectIn(source, "podCertificate")];
    const count = KINDS.filter((kind) => objectIn(source, kind) !== undefined).length;
    return [
      ...files,
      ...downward,
      ...(token === undefined ? [] : tokenErrors(token, `${place}.serviceAccountToken`, at)),
      ...(bundle === undefined ? [] : trustBundleErrors(bundle, `${place}.clusterTrustBundle`, conflict)),
      ...(certificate === undefined ? [] : podCertificateErrors(certificate, `${place}.podCertificate`, conflict)),
      ...(count > 1 ? [forbiddenField(place, "may not specify more than 1 volume type per source")] : []),
    ];
  });
}

function mappedErrors(projected: MutableJsonObject, at: string, conflict: PathConflict): readonly FieldError[] {
  const name = textIn(projected, "name");
  return [
    ...(name === "" ? [requiredField(`${at}.name`)] : []),
    ...eachItem(objectsIn(projected, "items"), `${at}.items`, (item, place) => [
      ...keyPathErrors(item, place),
      ...conflict(textIn(item, "path"), name),
    ]),
  ];
}

/** Returns what is wrong with the file of a key. */
export function keyPathErrors(item: MutableJsonObject, at: string): readonly FieldError[] {
  const path = textIn(item, "path");
  return [
    ...(textIn(item, "key") === "" ? [requiredField(`${at}.key`)] : []),
    ...(path === "" ? [requiredField(`${at}.path`)] : []),
    ...unreservedPath(`${at}.path`, path),
    ...fileMode(`${at}.mode`, numberIn(item, "mode")),
    ...fileUser(item, `${at}.user`),
  ];
}

function tokenErrors(token: MutableJsonObject, at: string, volume: string): readonly FieldError[] {
  const seconds = integerIn(token, "expirationSeconds") ?? 0;
  const path = textIn(token, "path");
  const field = `${at}.expirationSeconds`;
  return [
    ...(seconds < LEAST_SECONDS
      ? [invalidField(field, seconds, "may not specify a duration less than 10 minutes")]
      : []),
    ...(seconds > MOST_SECONDS
      ? [invalidField(field, seconds, "may not specify a duration larger than 2^32 seconds")]
      : []),
    // Upstream names the volume in place of the source.
    ...(path === "" ? [requiredField(`${volume}.path`)] : unreservedPath(`${volume}.path`, path)),
    ...fileUser(token, `${at}.user`),
  ];
}

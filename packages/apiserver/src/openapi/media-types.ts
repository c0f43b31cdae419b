import type { Action } from "./resource-operations.ts";

const JSON_TYPE = "application/json";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const JSON_AND_YAML = [JSON_TYPE, "application/yaml"] as const;
const ANY = ["*/*"] as const;

/** The media types of the documents that describe the server, such as the list of its groups. */
export const DOCUMENT_TYPES: readonly string[] = [...JSON_AND_YAML, PROTOBUF];

const WATCH_TYPES: readonly string[] = [`${JSON_TYPE};stream=watch`, `${PROTOBUF};stream=watch`];
const LISTING: ReadonlySet<Action> = new Set(["list", "watch", "watchlist"]);
const PATCHES = ["application/json-patch+json", "application/merge-patch+json"] as const;

/** Returns the media types of the answers of an operation, in the order of kube-apiserver. */
export function answerTypes(action: Action, isLog: boolean, isCustom: boolean): readonly string[] {
  if (action === "connect") return ANY;
  if (isCustom) return JSON_AND_YAML;
  return [...(isLog ? ["text/plain"] : []), ...DOCUMENT_TYPES, ...(LISTING.has(action) ? WATCH_TYPES : [])];
}

/** Returns the media types that an operation states for requests, with a body or without, in the order of kube-apiserver. */
export function requestTypes(action: Action, isCustom: boolean): readonly string[] {
  if (action !== "patch") return isCustom ? JSON_AND_YAML : ANY;
  return [...PATCHES, ...(isCustom ? [] : ["application/strategic-merge-patch+json"]), "application/apply-patch+yaml"];
}

import type { ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";

const encoded = new WeakMap<ApiObject, string>();

/** Returns the JSON of a stored object in the version of a resource; made once for each. */
function encodeStored(type: ResourceType, stored: ApiObject): string {
  return encodeShared(type.strategy().fromStored(stored));
}

/** Returns the JSON of an object that will not change any more. */
export function encodeShared(object: ApiObject): string {
  let text = encoded.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    encoded.set(object, text);
  }
  return text;
}

/** Returns the JSON of a list of stored objects; items of built-in kinds do not state their kind. */
export function encodeList(type: ResourceType, list: EncodableList): string {
  const items = list.items.map((stored) => encodeItem(type, stored)).join(",");
  const metadata = JSON.stringify(listMetadata(type, list));
  return `{"kind":${JSON.stringify(type.listKind)},"apiVersion":${JSON.stringify(apiVersionText(type))},"metadata":${metadata},"items":[${items}]}`;
}

/** Returns a list of stored objects as an object. */
export function listObject(type: ResourceType, list: EncodableList): object {
  const read = type.strategy().fromStored;
  return {
    kind: type.listKind,
    apiVersion: apiVersionText(type),
    metadata: listMetadata(type, list),
    items: list.items.map((stored) => read(stored)),
  };
}

function listMetadata(
  { isCustom }: ResourceType,
  { continueToken, remainingItemCount, resourceVersion }: EncodableList,
): object {
  return {
    resourceVersion,
    // The reference states the token of custom resources even when it is empty.
    ...(continueToken === "" && !isCustom ? {} : { continue: continueToken }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}

/** A list of stored objects. */
export interface EncodableList {
  readonly items: readonly ApiObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
}

function encodeItem(type: ResourceType, stored: ApiObject): string {
  const text = encodeStored(type, stored);
  if (type.isCustom) {
    return text;
  }
  const typeMeta = `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(apiVersionText(type))},`;
  if (text.startsWith(typeMeta)) {
    return `{${text.slice(typeMeta.length)}`;
  }
  const { kind: _kind, apiVersion: _apiVersion, ...fields } = type.strategy().fromStored(stored);
  return JSON.stringify(fields);
}

function apiVersionText({ group, version }: ResourceType): string {
  return group === "" ? version : `${group}/${version}`;
}

import { printServerJson } from "@kubescaffold/k8s";

import type { ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";

// Texts of the last objects that were encoded, in two generations; those of all objects would take more memory than the objects.
const GENERATION_CHARACTERS = 24 * 1024 * 1024;
let recent = new WeakMap<ApiObject, string>();
let earlier = new WeakMap<ApiObject, string>();
let recentCharacters = 0;

/** Returns the JSON of a stored object in the version of a resource; cached for the last ones. */
function encodeStored(type: ResourceType, stored: ApiObject): string {
  return encodeShared(type.strategy().fromStored(stored));
}

/** Returns the JSON of an object that will not change any more. */
export function encodeShared(object: ApiObject): string {
  return recent.get(object) ?? earlier.get(object) ?? encodeNew(object);
}

function encodeNew(object: ApiObject): string {
  const text = printServerJson(object);
  recentCharacters += text.length;
  if (recentCharacters > GENERATION_CHARACTERS) {
    earlier = recent;
    recent = new WeakMap();
    recentCharacters = text.length;
  }
  recent.set(object, text);
  return text;
}

/** Returns the JSON of a list of stored objects; items of built-in kinds do not state their kind. */
export function encodeList(type: ResourceType, list: EncodableList): string {
  const items = list.items.map((stored) => encodeItem(type, stored)).join(",");
  const metadata = JSON.stringify(typedListMetadata(type, list));
  return `{"kind":${JSON.stringify(type.listKind)},"apiVersion":${JSON.stringify(apiVersionText(type))},"metadata":${metadata},"items":[${items}]}`;
}

/** Returns a list of stored objects as an object, whose items state their kind or do not. */
export function listObject(
  type: ResourceType,
  list: EncodableList,
  { statesKinds }: { readonly statesKinds: boolean },
): object {
  const read = type.strategy().fromStored;
  const itemOf = (stored: ApiObject): object => {
    if (statesKinds) return read(stored);
    const { kind: _kind, apiVersion: _apiVersion, ...fields } = read(stored);
    return fields;
  };
  return {
    kind: type.listKind,
    apiVersion: apiVersionText(type),
    metadata: typedListMetadata(type, list),
    items: list.items.map((stored) => itemOf(stored)),
  };
}

// The reference states the token of custom resources even when it is empty.
function typedListMetadata({ isCustom }: ResourceType, list: EncodableList): object {
  return { ...listMetadata(list), ...(isCustom ? { continue: list.continueToken } : {}) };
}

/** Returns the metadata of a list. */
export function listMetadata({ continueToken, remainingItemCount, resourceVersion }: EncodableList): object {
  return {
    ...(resourceVersion === "" ? {} : { resourceVersion }),
    ...(continueToken === "" ? {} : { continue: continueToken }),
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
  return printServerJson(fields);
}

function apiVersionText({ group, version }: ResourceType): string {
  return group === "" ? version : `${group}/${version}`;
}

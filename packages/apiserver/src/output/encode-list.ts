import { printServerJson } from "@kubescaffold/k8s";
import { eachInTurns } from "@kubescaffold/platform/clock";

import { JoinedText } from "../request/joined-text.ts";
import type { ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { EncodedObject, encodeShared } from "./encode-object.ts";

/** A list of stored objects. */
export interface EncodableList {
  readonly items: readonly ApiObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
}

/**
 * Returns the JSON of a list of stored objects, with a newline; items of built-in kinds do not state their kind.
 *
 * Guarantees: a list of many objects that were not encoded before does not block the event loop.
 */
export async function encodeList(type: ResourceType, list: EncodableList): Promise<JoinedText> {
  const metadata = JSON.stringify(typedListMetadata(type, list));
  const head = `{"kind":${JSON.stringify(type.listKind)},"apiVersion":${JSON.stringify(apiVersionText(type))},"metadata":${metadata},"items":[`;
  const items = await encodeItems(type, list.items);
  const brace = type.isCustom ? "" : "{";
  return new JoinedText({
    open: items.length === 0 ? head : `${head}${brace}`,
    items: items.map(({ encoded, start }) => encoded.textFrom(start)),
    separator: `,${brace}`,
    close: "]}\n",
    countItemBytes: () => items.reduce((sum, { encoded, start }) => sum + encoded.lineBytes - 1 - start, 0),
  });
}

/** An object of a list, and where its text begins without what the list has before each of them; up to there it is ASCII. */
interface EncodedItem {
  readonly encoded: EncodedObject;
  readonly start: number;
}

async function encodeItems(type: ResourceType, stored: readonly ApiObject[]): Promise<readonly EncodedItem[]> {
  const { fromStored } = type.strategy();
  const typeMeta = `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(apiVersionText(type))},`;
  return await eachInTurns(stored, (each) => {
    const object = fromStored(each);
    return type.isCustom ? { encoded: encodeShared(object), start: 0 } : encodeItem(object, typeMeta);
  });
}

function encodeItem(object: ApiObject, typeMeta: string): EncodedItem {
  const encoded = encodeShared(object);
  if (encoded.line.startsWith(typeMeta)) return { encoded, start: typeMeta.length };
  const { kind: _kind, apiVersion: _apiVersion, ...fields } = object;
  return { encoded: new EncodedObject(printServerJson(fields)), start: 1 };
}

/** A list or a table whose parts are printed one by one; they are the last member. */
export interface LongObject {
  readonly head: object;
  readonly member: "items" | "rows";
  readonly parts: readonly object[];
}

/** Returns the JSON of a long object, with a newline. Guarantees: does not block the event loop. */
export async function encodeLong({ head, member, parts }: LongObject): Promise<JoinedText> {
  const items = await eachInTurns(parts, printServerJson);
  const open = `${printServerJson(head).slice(0, -1)},"${member}":[`;
  return new JoinedText({ open, items, separator: ",", close: "]}\n" });
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

function apiVersionText({ group, version }: ResourceType): string {
  return group === "" ? version : `${group}/${version}`;
}

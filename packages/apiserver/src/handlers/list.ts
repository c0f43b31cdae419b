import { TurnShare } from "@kubescaffold/platform/clock";

import { expired } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "../resources/registry.ts";
import { parseSelection, type Selection } from "../resources/selection.ts";
import { listFailure } from "../resources/undecodable-objects.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { keyOf, keyRange, lowerBound } from "../storage/object-key.ts";
import type { TableContents } from "../storage/store-reads.ts";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.ts";
import { parseListOptions, type ListOptions, checkNotFuture, exactVersion } from "./list-options.ts";
import type { ReadEnvironment } from "./stale-reads.ts";

/** One page of a list. */
export interface ListResult {
  /** The objects as they are stored. */
  readonly items: readonly ApiObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
}

/** Returns the objects of a collection that a request wants. */
export async function handleList(
  environment: ReadEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): Promise<ListResult> {
  const { query } = context.request;
  const options = parseListOptions(query);
  const selection = parseSelection(query, type);
  checkNotFuture(exactVersion(query), environment.store.revision);
  const position = startPosition(environment, { type, options, namespace: context.info.namespace });
  const input = { ...position, options, selection, namespace: context.info.namespace, type };
  if (type.strategy().prepareRead === undefined) {
    return await page(input);
  }
  // While a webhook is asked the store goes on changing.
  const { keys, objects } = position.contents;
  const contents = { keys: [...keys], objects: new Map(objects) };
  return convertedPage({ ...input, contents });
}

// A selection is about the converted objects, so all of the namespace are converted for it, but for one of a name, which conversion keeps.
async function convertedPage(input: PageInput): Promise<ListResult> {
  const { contents, type, selection, namespace } = input;
  const { start, end } = keyRange(contents.keys, namespace);
  const all = contents.keys.slice(start, end).map((key) => contents.objects.get(key) as ApiObject);
  const objects = isSingle(input) ? all.filter(({ metadata }) => metadata.name === selection.name) : all;
  const listed = selection.isEverything ? await page(input) : undefined;
  try {
    await type.strategy().prepareRead?.(listed?.items ?? objects, { reuses: true });
  } catch (error) {
    throw listFailure(type, error);
  }
  return listed ?? (await page(input));
}

interface Position {
  readonly contents: TableContents;
  readonly revision: number;
  readonly start: string;
}

function startPosition(
  environment: ReadEnvironment,
  { type, options, namespace }: Pick<PageInput, "type" | "options" | "namespace">,
): Position {
  const { store } = environment;
  const table = store.table(type.storedAs);
  const now = store.revision;
  const at = (revision: number): TableContents | undefined =>
    revision < store.listsFrom ? undefined : table.at(revision);
  if (options.continueToken !== "") {
    const token = decodeContinueToken(options.continueToken);
    checkNotFuture(token.revision, now);
    const revision = token.revision < 0n ? now : Number(token.revision);
    const contents = token.revision < 0n ? table.current() : at(revision);
    if (contents === undefined) {
      throw expiredContinue(token.start);
    }
    return { contents, revision, start: keyPrefix(namespace) + token.start };
  }
  if (!options.isExact || options.resourceVersion === undefined) {
    return { contents: table.current(), revision: now, start: "" };
  }
  const contents = at(options.resourceVersion);
  if (contents === undefined) {
    throw expired("The resourceVersion for the provided list is too old.");
  }
  return { contents, revision: options.resourceVersion, start: "" };
}

function expiredContinue(start: string): Error {
  const error = expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
  );
  error.status.metadata = { continue: encodeContinueToken({ revision: -1n, start }) };
  return error;
}

function keyPrefix(namespace: string): string {
  return namespace === "" ? "" : keyOf({ namespace, name: "" });
}

interface PageInput extends Position {
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly namespace: string;
  readonly type: ResourceType;
}

// Guarantees: reads the contents before it waits, and does not block the event loop.
async function page(input: PageInput): Promise<ListResult> {
  const { contents, revision, options, selection, type } = input;
  const { keys: allKeys, objects } = contents;
  const range = keyRange(allKeys, input.namespace);
  const start = Math.max(range.start, input.start === "" ? 0 : lowerBound(allKeys, input.start));
  const most = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const end = selection.isEverything ? Math.min(range.end, start + most) : range.end;
  const keys = allKeys.slice(start, end);
  const found = keys.map((key) => objects.get(key) as ApiObject);
  const { items, looked } = selection.isEverything
    ? { items: found, looked: found.length }
    : await selected(found, { selection, type, most, isSingle: isSingle(input) });
  const index = start + looked;
  const hasMore = index < range.end && !isSingle(input);
  return {
    items,
    resourceVersion: String(revision),
    continueToken: hasMore ? nextToken(input, keys[looked - 1] as string) : "",
    remainingItemCount: hasMore && selection.isEverything ? range.end - index : undefined,
  };
}

// A list of one name is read like the object, and has no pages.
function isSingle({ selection, namespace, type }: PageInput): boolean {
  return selection.name !== undefined && (namespace !== "" || !type.isNamespaced);
}

interface Search extends Pick<PageInput, "selection" | "type"> {
  readonly most: number;
  readonly isSingle: boolean;
}

/** Returns the first objects that a selection matches, and the number of those that it looked at. */
async function selected(
  objects: readonly ApiObject[],
  { selection, type, most, isSingle: hasName }: Search,
): Promise<{ readonly items: readonly ApiObject[]; readonly looked: number }> {
  const read = type.strategy().fromStored;
  const turns = TurnShare.ofTime();
  const items: ApiObject[] = [];
  for (const [index, object] of objects.entries()) {
    if (items.length === most) return { items, looked: index };
    const isCandidate = !hasName || object.metadata.name === selection.name;
    if (isCandidate && selection.matches(read(object))) items.push(object);
    const pause = turns.step();
    if (pause !== undefined) await pause;
  }
  return { items, looked: objects.length };
}

function nextToken({ revision, namespace }: PageInput, lastKey: string): string {
  return encodeContinueToken({ revision: BigInt(revision), start: `${lastKey.slice(keyPrefix(namespace).length)}\0` });
}

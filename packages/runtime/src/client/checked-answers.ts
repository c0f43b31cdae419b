import { isRecord } from "@kubescaffold/platform";

import { UnexpectedAnswerError } from "../rest/errors.ts";
import type { ReadList } from "../rest/list-reader.ts";
import type { RestRequest } from "../rest/rest-client.ts";

type Call = Pick<RestRequest, "method" | "path">;

/**
 * Returns a list with its items, none if the server left them out.
 *
 * Fails: {@link UnexpectedAnswerError} for anything but a list: an empty one in its place would make controllers create or delete other objects.
 */
export function requireList(call: Call, list: ReadList | undefined): ReadList {
  if (list === undefined) throw unexpected(call, "it is empty");
  if (!isRecord(list)) throw unexpected(call, "it is not an object");
  const { items, kind } = list;
  if (Array.isArray(items)) return list;
  if (items !== undefined && items !== null) throw unexpected(call, "its items are not a list");
  if (kind === undefined || (typeof kind === "string" && kind.endsWith("List"))) return { ...list, items: [] };
  throw unexpected(call, `it is not a list, but of the kind ${JSON.stringify(kind)}`);
}

/** Returns an item of a list. Fails: {@link UnexpectedAnswerError} for one that is not an object. */
export function requireItem(call: Call, item: unknown): unknown {
  if (isRecord(item)) return item;
  throw unexpected(call, "an item of the list is not an object");
}

/** Returns an object. Fails: {@link UnexpectedAnswerError} for anything else, and with a kind, for an object of another one. */
export function requireObject<A>(call: Call, answer: A, kind?: string): A {
  if (answer === undefined) throw unexpected(call, "it is empty");
  if (!isRecord(answer)) throw unexpected(call, "it is not an object");
  const found = answer["kind"] ?? kind;
  if (kind === undefined || found === kind || found === "PartialObjectMetadata") return answer;
  // Some resources, such as bindings, have no objects.
  if (found === "Status" && call.method === "POST") return answer;
  throw unexpected(call, `it is of the kind ${JSON.stringify(found)}, not ${kind}`);
}

function unexpected({ method, path }: Call, detail: string): UnexpectedAnswerError {
  return new UnexpectedAnswerError(`${method} ${path}`, detail);
}

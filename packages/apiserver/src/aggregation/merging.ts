import { parseServerJson } from "@kubescaffold/k8s";

import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { type DelegatedVersion, isDelegated, type RegisteredVersion } from "./api-services.ts";
import type { Forwarding } from "./forward.ts";

/** What documents of several servers are merged from. */
export interface Merging extends Forwarding {
  readonly registered: readonly RegisteredVersion[];
  /** Answers as a server without others. */
  readonly answerLocally: (context: RequestContext) => Promise<ServerResponse>;
}

/** Returns the JSON document that this server itself answers a path with. */
export async function localJson<Document>(
  merging: Merging,
  context: RequestContext,
  accept?: string,
): Promise<Document> {
  return parseServerJson(await localText(merging, context, accept)) as Document;
}

/** Returns the text of the JSON document that this server itself answers a path with. */
export async function localText(
  { answerLocally }: Merging,
  context: RequestContext,
  accept: string = "application/json",
): Promise<string> {
  const { request } = context;
  const header = (name: string): string | undefined =>
    name === "accept" ? accept : name === "if-none-match" ? undefined : request.header(name);
  const output = { mediaType: "application/json", isPretty: false } as const;
  // Getters of a class are not copied.
  const { signal, remoteAddress } = request;
  const local = { ...request, signal, remoteAddress, header };
  const { body } = await answerLocally({ ...context, request: local, output: () => output });
  return body as string;
}

/** Returns the group versions that servers behind Services serve. */
export function delegatedVersions({ registered }: Merging): readonly DelegatedVersion[] {
  return registered.filter((each) => isDelegated(each));
}

/** An entry of the list of groups. */
export interface GroupEntry {
  readonly name: string;
  readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
}

/** Returns the entry of a group. */
export function groupEntry(group: string, versions: readonly string[]): object {
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

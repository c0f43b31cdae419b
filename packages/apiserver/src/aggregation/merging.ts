import { objectAnswer } from "../output/write-response.ts";
import { PROTOBUF, type RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { DelegatedVersion, RegisteredVersion } from "./api-services.ts";
import type { Forwarding } from "./forward.ts";

/** What documents of several servers are merged from. */
export interface Merging extends Forwarding {
  readonly registered: readonly RegisteredVersion[];
  /** Answers as a server without others. */
  readonly answerLocally: (context: RequestContext) => Promise<ServerResponse>;
}

/** Returns the JSON that this server itself answers a path with. */
export async function localJson<Document>(
  { answerLocally }: Merging,
  context: RequestContext,
  accept: string = "application/json",
): Promise<Document> {
  const { request } = context;
  const header = (name: string): string | undefined =>
    name === "accept" ? accept : name === "if-none-match" ? undefined : request.header(name);
  const output = { mediaType: "application/json", isPretty: false } as const;
  const { body } = await answerLocally({ ...context, request: { ...request, header }, output: () => output });
  return JSON.parse(body as string) as Document;
}

/** Returns the group versions that servers behind Services serve. */
export function delegatedVersions({ registered }: Merging): readonly DelegatedVersion[] {
  return registered.flatMap(({ backend, ...version }) => (backend === undefined ? [] : [{ ...version, backend }]));
}

/** Answers with an object in the form that discovery has. */
export async function documentAnswer(
  context: RequestContext,
  object: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServerResponse> {
  const { mediaType, isPretty } = context.output();
  const output = { mediaType: mediaType === PROTOBUF ? PROTOBUF : "application/json", isPretty } as const;
  return await objectAnswer({ code: 200, object, output, headers });
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

import type { RestConfig, Transport } from "@kubescaffold/k8s";

import { pathOf } from "../conformance/kinds.ts";
import type { Json } from "../conformance/row.ts";
import { createScrubber } from "../conformance/transcript.ts";
import { transportOf } from "../conformance/transport.ts";
import { watchStreamOf, type WatchEvent } from "../conformance/watch-stream.ts";
import { KINDS, LAST_NAME, type Operation } from "./random-operations.ts";

interface Watcher {
  readonly path: string;
  readonly events: (last: string) => Promise<readonly WatchEvent[]>;
  readonly close: () => Promise<void>;
}

/** Runs operations against one server, and describes what happens without what differs between servers. */
export class ServerSession {
  readonly #transport: Transport;
  readonly #namespace: string;
  readonly #scrubber = createScrubber();
  readonly #versions = new Map<string, string[]>();
  #continue = "";
  readonly #watchers: Watcher[] = [];

  constructor(config: RestConfig, namespace: string) {
    this.#transport = transportOf(config);
    this.#namespace = namespace;
  }

  /** Creates the namespace of the operations. */
  async start(): Promise<void> {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: this.#namespace } };
    await this.#send({ method: "POST", path: "/api/v1/namespaces", body, userAgent: "setup" });
  }

  /** Returns the answer to an operation: status, warnings, and body. */
  async outcomeOf(operation: Operation): Promise<unknown> {
    const response = await this.#send(this.#prepared(operation));
    const body = JSON.parse(await response.text()) as Json;
    this.#remember(operation, body);
    const warnings = response.headers.get("warning") ?? "";
    return { status: response.status, warnings, body: this.#scrubber.value(sortedOwners(withSortedCauses(body))) };
  }

  /** Returns the events of every watcher since the start, up to the last object of its kind. */
  async events(): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    for (const { path, events } of this.#watchers) {
      const collected = await events(LAST_NAME);
      const scrubber = createScrubber();
      all.push({ path, events: collected.map((event) => scrubber.value(sortedOwners(event as unknown as Json))) });
    }
    return all;
  }

  /** Ends the watches. */
  async stop(): Promise<void> {
    await Promise.all(this.#watchers.map(async ({ close }) => await close()));
  }

  /** Starts watchers: of everything of each kind, and of what selectors select. */
  async watch(): Promise<void> {
    for (const kind of KINDS) {
      for (const parameters of [
        "",
        "&labelSelector=tier%3Dx",
        "&labelSelector=tier%21%3Dy&allowWatchBookmarks=false",
      ]) {
        const path = `${pathOf(kind, this.#namespace)}?watch=true&timeoutSeconds=3000${parameters}`;
        const response = await this.#transport(new Request(`http://server.invalid${path}`));
        const stream = watchStreamOf(response);
        const read = async (last: string): Promise<readonly WatchEvent[]> => {
          const events: WatchEvent[] = [];
          for (let [event] = await stream.take(1); event !== undefined; [event] = await stream.take(1)) {
            if ((event.object as { metadata: { name: string } }).metadata.name === last) break;
            events.push(event);
          }
          await stream.close();
          return events;
        };
        this.#watchers.push({ path, events: read, close: async () => await stream.close() });
      }
    }
  }

  async #send({ method, path, body, contentType = "application/json", userAgent }: Operation): Promise<Response> {
    const headers = { "content-type": contentType, "user-agent": userAgent };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return await this.#transport(new Request(`http://server.invalid${path}`, init));
  }

  #prepared(operation: Operation): Operation {
    const { version, continues, path } = operation;
    if (continues === true && this.#continue !== "") {
      const [collection = ""] = path.split("?");
      return { ...operation, path: `${collection}?limit=1&continue=${encodeURIComponent(this.#continue)}` };
    }
    if (version === undefined) return operation;
    const resourceVersion = this.#versions.get(version.of)?.at(-1 - version.age);
    if (resourceVersion === undefined) return operation;
    const body = operation.body as Json;
    return operation.method === "DELETE"
      ? { ...operation, body: { ...body, preconditions: { resourceVersion } } }
      : { ...operation, body: { ...body, metadata: { ...(body["metadata"] as Json), resourceVersion } } };
  }

  #remember({ path }: Operation, body: Json): void {
    const { metadata = {} } = body as { readonly metadata?: Json };
    if (Array.isArray(body["items"])) {
      // Pages of one kind cannot be continued in another.
      this.#continue = "";
      return;
    }
    const [place = ""] = path.split("?");
    const { name, resourceVersion } = metadata;
    if (typeof name !== "string" || typeof resourceVersion !== "string") return;
    const key = place.replace(/\/status$/u, "").replace(new RegExp(`/${name}$`, "u"), "");
    const versions = this.#versions.get(`${key}/${name}`) ?? [];
    if (versions.at(-1) !== resourceVersion) versions.push(resourceVersion);
    this.#versions.set(`${key}/${name}`, versions);
  }
}

// Schemas of custom resources are validated in any order.
function withSortedCauses(body: Json): Json {
  const causes = (body["details"] as { readonly causes?: readonly unknown[] } | undefined)?.causes ?? [];
  if (causes.length < 2) return body;
  const sorted = causes.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  return { ...body, message: "", details: { ...(body["details"] as Json), causes: sorted } };
}

const VERSIONS = /(?<=the ResourceVersion in (?:the precondition|record) \(|ResourceVersion in object meta: )\d+/gu;

const QUOTED_OBJECT = /(?<=Invalid value: )"\{\\"(?:[^"\\]|\\.)*\}"/gu;

function quotedAgain(quoted: string): string {
  return JSON.stringify(JSON.stringify(sortedOwners(JSON.parse(JSON.parse(quoted) as string))));
}

/** Sorts owners by name: their order follows the second in which they wrote. */
function sortedOwners(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(VERSIONS, "<rv>").replaceAll(QUOTED_OBJECT, quotedAgain);
  if (Array.isArray(value)) return value.map(sortedOwners);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      // Under another name, since transcripts leave owners out.
      if (key !== "managedFields" || !Array.isArray(member)) return [key, sortedOwners(member)];
      const owners = (member as readonly Json[]).map((owner) => ({ ...owner, time: typeof owner["time"] }));
      const nameOf = (owner: Json): string =>
        JSON.stringify([owner["manager"], owner["operation"], owner["apiVersion"], owner["subresource"]]);
      return ["owners", owners.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))];
    }),
  );
}

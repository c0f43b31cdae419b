import { ReadableStream } from "node:stream/web";

import type { ObjectKey } from "../client/client.ts";
import type { CallOptions } from "../client/options.ts";
import { resourcePath, signalOf } from "../client/requests.ts";
import type { RestClient, RestRequest } from "../rest/rest-client.ts";

/** Options of {@link podLogs}. */
export interface PodLogOptions extends CallOptions {
  /** The container. Default: the only container of the Pod. */
  readonly container?: string;
  /** Keeps the stream open for new output until the container ends. Default: false. */
  readonly follow?: boolean;
  /** Reads the output of the previous instance of the container. Default: false. */
  readonly previous?: boolean;
  /** Omits output that is older, in seconds; excludes `sinceTime`. Default: all output. */
  readonly sinceSeconds?: number;
  /** Omits output before this RFC 3339 time. Default: all output. */
  readonly sinceTime?: string;
  /** Starts each line with its RFC 3339 time. Default: false. */
  readonly timestamps?: boolean;
  /** The number of lines from the end. Default: all lines. */
  readonly tailLines?: number;
  /** The approximate number of bytes after which the output ends. Default: no limit. */
  readonly limitBytes?: number;
  /** The output stream of the container; the server may not support it. Default: `All`. */
  readonly stream?: "All" | "Stdout" | "Stderr";
}

/** The output of a container; each call sends a request. */
export interface PodLogs {
  /** Reads the complete output as text; without a timeout when it is followed. */
  text(): Promise<string>;
  /** Yields the lines as they arrive, without their line breaks; lines of more than a million characters in parts. */
  lines(): AsyncIterable<string>;
  /** Yields the bytes as they arrive; leaving the iteration closes the connection. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the bytes as a stream; canceling it closes the connection. */
  stream(): ReadableStream<Uint8Array>;
}

/**
 * Returns the logs of a Pod; requests are sent when the logs are read.
 *
 * Fails: on reading, `isNotFound` without the Pod, `isInvalid` or a bad request without the container, `ConnectionError` when the connection breaks.
 *
 * client-go: kubernetes/typed/core/v1.PodExpansion
 *
 * @example
 * const logs = podLogs(createRestClient(config), { namespace: "default", name: "web-0" }, { follow: true, tailLines: 10 });
 * for await (const line of logs.lines()) {
 *   console.log(line);
 * }
 */
export function podLogs(rest: RestClient, key: ObjectKey, options: PodLogOptions = {}): PodLogs {
  const request = logRequest(key, options);
  const chunks = (): AsyncIterable<Uint8Array> => rest.bytes(request);
  return {
    text: async () => (options.follow === true ? await joinText(chunks()) : await rest.text(request)),
    lines: () => splitLines(chunks()),
    chunks,
    stream: () => ReadableStream.from<Uint8Array>(chunks()),
  };
}

function logRequest(key: ObjectKey, options: PodLogOptions): RestRequest {
  const { signal: _signal, ...parameters } = options;
  const query = Object.entries(parameters).map(([name, value]) => [name, value === false ? undefined : String(value)]);
  return {
    method: "GET",
    path: resourcePath({
      gvr: { group: "", version: "v1", resource: "pods" },
      namespace: key.namespace ?? "",
      name: key.name,
      subresource: "log",
    }),
    query: Object.fromEntries(query) as Record<string, string | undefined>,
    accept: "application/json, */*",
    ...signalOf(options),
  };
}

async function joinText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const LONGEST_LINE = 1_000_000;

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    pieces.push(first);
    length += first.length;
    for (const next of others) {
      yield pieces.join("");
      pieces = [next];
      length = next.length;
    }
    if (length <= LONGEST_LINE) continue;
    yield pieces.join("");
    pieces = [];
    length = 0;
  }
  const last = pieces.join("") + decoder.decode();
  if (last !== "") {
    yield last;
  }
}

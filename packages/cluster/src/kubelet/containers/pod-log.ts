import {
  badRequest,
  invalid,
  queryFlag,
  type ResponseSink,
  type ServerResponse,
} from "@kubescaffold/apiserver/cluster-api";
import { forbiddenField, invalidField, type FieldError } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { ContainerLog, LogLine } from "./container-log.ts";
import type { SimulatedContainer } from "./container.ts";

/** Options of a request for the log of a container. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | undefined;
  /** Milliseconds since 1970. */
  readonly sinceTime: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** Reads the options of a request. Fails: with 400 for values of another type, with 422 for values out of range. */
export function logOptions(query: URLSearchParams, name: string): LogOptions {
  const options = {
    follow: queryFlag(query, "follow"),
    previous: queryFlag(query, "previous"),
    timestamps: queryFlag(query, "timestamps"),
    sinceSeconds: integer(query, "sinceSeconds"),
    sinceTime: time(query, "sinceTime"),
    tailLines: integer(query, "tailLines"),
    limitBytes: integer(query, "limitBytes"),
  };
  const errors = fieldErrors(options, query.has("stream"));
  if (errors.length > 0) throw invalid({ groupKind: { group: "", kind: "PodLogOptions" }, name }, errors);
  return options;
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[-+]?\d+$/u.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/u;

function time(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  const parsed = RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(parsed)) {
    const quoted = JSON.stringify(text);
    throw badRequest(`parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`);
  }
  return parsed;
}

function fieldErrors(options: LogOptions, hasStream: boolean): readonly FieldError[] {
  const { tailLines, limitBytes, sinceSeconds, sinceTime } = options;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidField("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidField("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbiddenField("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidField("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  // The feature gate PodLogsQuerySplitStreams is off by default.
  if (hasStream) errors.push(forbiddenField("stream", "may not be specified"));
  return errors;
}

/** Answers with the output of a container. Fails: with 400 for a previous run that does not exist. */
export function logAnswer(container: SimulatedContainer, pod: Pod, options: LogOptions, clock: Clock): ServerResponse {
  const log = container.log(options);
  if (log === undefined) {
    const names = `${JSON.stringify(container.spec.name)} in pod ${JSON.stringify(pod.metadata.name)}`;
    throw badRequest(`previous terminated container ${names} not found`);
  }
  return {
    code: 200,
    contentType: "text/plain",
    body: {
      start: (sink, signal) => {
        // A client that went away is no failure.
        void sendLog(log, sink, { ...options, now: clock.now(), signal }).finally(() => sink.done());
      },
    },
  };
}

async function sendLog(
  log: ContainerLog,
  sink: ResponseSink,
  options: LogOptions & { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const { sinceSeconds, sinceTime, timestamps, limitBytes = Number.POSITIVE_INFINITY } = options;
  const since =
    sinceTime ?? (sinceSeconds === undefined ? Number.NEGATIVE_INFINITY : options.now - sinceSeconds * 1000);
  let remaining = limitBytes;
  for await (const line of log.read(options)) {
    if (line.time < since) continue;
    const bytes = timestamps ? Buffer.concat([timestamp(line), line.bytes]) : line.bytes;
    sink.write(bytes.subarray(0, Math.min(bytes.length, remaining)));
    remaining -= bytes.length;
    if (remaining <= 0) return;
    await sink.drained();
  }
}

// With nine digits, as container runtimes record it.
function timestamp({ time: at }: LogLine): Buffer {
  return Buffer.from(`${new Date(at).toISOString().slice(0, -1)}000000Z `);
}

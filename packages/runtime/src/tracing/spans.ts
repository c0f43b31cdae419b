import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";

import { exceptionOf } from "./exceptions.ts";

/** The name of the instrumentation scope of all spans. */
const SCOPE = "@kubescaffold/runtime";

/** A span to start; attributes are only computed for programs with an SDK. */
export interface SpanStart {
  /** The name of the span, with few distinct values. */
  readonly name: string;
  /** The role of the span. */
  readonly kind: "internal" | "client" | "server";
  /** The attributes that a sampler sees. */
  readonly attributes: Attributes;
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER } as const;

/** A span and the context in which its children start. */
export interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

/** Starts a span without a parent; undefined without an SDK. */
export function startRootSpan(describe: () => SpanStart): OpenSpan | undefined {
  return start(ROOT_CONTEXT, describe);
}

/** Starts a child of the current span; undefined without an SDK. */
export function startChildSpan(describe: () => SpanStart): OpenSpan | undefined {
  return start(undefined, describe);
}

/** Starts a child of the span that the headers of a request name; undefined without an SDK. */
export function startRemoteSpan(headers: Headers, describe: () => SpanStart): OpenSpan | undefined {
  if (tracer() === undefined) return undefined;
  const parent = propagation.extract(ROOT_CONTEXT, headers, {
    keys: (carrier) => [...carrier.keys()],
    get: (carrier, key) => carrier.get(key) ?? undefined,
  });
  return start(parent, describe);
}

function start(parent: Context | undefined, describe: () => SpanStart): OpenSpan | undefined {
  const current = tracer();
  if (current === undefined) return undefined;
  const { name, kind, attributes } = describe();
  const outer = parent ?? context.active();
  const span = current.startSpan(name, { kind: KINDS[kind], attributes }, outer);
  return { span, context: trace.setSpan(outer, span) };
}

// The provider of the API hands out tracers that do nothing until an SDK registers one.
function tracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return "getDelegateTracer" in provider
    ? (provider as { readonly getDelegateTracer: (name: string) => Tracer | undefined }).getDelegateTracer(SCOPE)
    : provider.getTracer(SCOPE);
}

/** Runs a function in which, also asynchronously, new spans are children of a span. */
export function inSpan<T>(open: OpenSpan | undefined, run: () => T): T {
  return open === undefined ? run() : context.with(open.context, run);
}

/** Runs a function whose spans have no parent, because its work outlives the current span. */
export function outsideOfSpans<T>(run: () => T): T {
  return context.active() === ROOT_CONTEXT ? run() : context.with(ROOT_CONTEXT, run);
}

/** Adds attributes to the current span; they are only computed for recorded spans. */
export function describeCurrentSpan(attributes: () => Attributes): void {
  const span = trace.getActiveSpan();
  if (span?.isRecording() === true) span.setAttributes(attributes());
}

/** Marks the current span as failed, and records the error, without ending the span. */
export function recordError(error: unknown): void {
  const span = trace.getActiveSpan();
  if (span !== undefined) recordOn(span, error);
}

/** Returns the headers that carry a span to a server, such as `traceparent`, with the propagator of the program. */
export function propagationHeaders(open: OpenSpan | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (open !== undefined) propagation.inject(open.context, headers);
  return headers;
}

/** Ends a span as failed, and records the error without texts that a server sent. */
export function endWithError({ span }: OpenSpan, error: unknown): void {
  recordOn(span, error);
  span.end();
}

function recordOn(span: Span, error: unknown): void {
  if (!span.isRecording()) return;
  const { type, exception } = exceptionOf(error);
  span.setAttribute("error.type", type);
  span.recordException(exception);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Ends a span as failed with a type alone. */
export function endAsFailed({ span }: OpenSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

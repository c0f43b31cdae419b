import { Readable } from "node:stream";
import { getHeapSnapshot } from "node:v8";

import { type Clock, sleep } from "@kubescaffold/platform/clock";

import { type HttpHandler, pageNotFound } from "../http-server/http-handler.ts";
import type { Logger } from "../log/logger.ts";
import { HttpServer, parseAddress } from "./http-server.ts";

const PREFIX = "/debug/pprof/";
const MAXIMAL_SECONDS = 600;

/** Creates the server of the profiles; undefined when it is disabled. */
export function createPprofServer(options: {
  readonly bindAddress: string;
  readonly clock: Clock;
  readonly log: Logger;
}): HttpServer | undefined {
  const { clock, log } = options;
  const address = parseAddress(options.bindAddress);
  if (address === undefined) return undefined;
  const isLoopback = isLoopbackHost(address.host);
  if (!isLoopback) log.info("other hosts can read profiles, which contain secrets; use a loopback address");
  const handler = profileHandler({ clock, isLoopback });
  // A profile may take ten minutes; the stop of the manager cuts it.
  return new HttpServer({ name: "pprof", address, log, handler, shutdownTimeoutMs: 0 });
}

/** Options of {@link profileHandler}. */
interface ProfileHandlerOptions {
  /** The clock of the durations. */
  readonly clock: Clock;
  /** Accepts only requests for loopback addresses, so that no web page reads profiles through a name that it controls. */
  readonly isLoopback: boolean;
}

/**
 * Serves profiles of the process below `/debug/pprof/`, in formats that Chrome DevTools opens.
 *
 * Guarantees: one profile of a kind at a time; a profile ends when its client disconnects.
 */
export function profileHandler({ clock, isLoopback }: ProfileHandlerOptions): HttpHandler {
  const active = new Set<string>();
  return async (request) => {
    if (isLoopback && !isLoopbackHost(request.headers.get("host") ?? "")) return text(421, "unknown host");
    const { pathname, searchParams } = new URL(request.url);
    const name = pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length) : undefined;
    if (name === "") return new Response(INDEX, { headers: { "content-type": "text/html; charset=utf-8" } });
    const kind = PROFILES.find((each) => each.name === name);
    if (kind === undefined) return pageNotFound();
    if (request.method !== "GET") return text(405, "method not allowed");
    const seconds = secondsOf(searchParams.get("seconds"), kind.seconds);
    if (seconds === undefined) return text(400, `seconds is not an integer from 1 to ${String(MAXIMAL_SECONDS)}`);
    if (active.has(kind.name)) return text(500, `a profile of the kind ${kind.name} is being recorded`);
    active.add(kind.name);
    try {
      const body = await kind.record(() => sleep(clock, seconds * 1000, request.signal));
      const disposition = `attachment; filename="${kind.file}"`;
      return new Response(body, {
        headers: { "content-type": "application/json", "content-disposition": disposition },
      });
    } finally {
      active.delete(kind.name);
    }
  };
}

/** Reports whether a host is `localhost` or a loopback address, with or without a port. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/u, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || name === "::1" || /^127(?:\.\d{1,3}){3}$/u.test(name);
}

function secondsOf(value: string | null, byDefault: number): number | undefined {
  if (value === null) return byDefault;
  const seconds = /^\d{1,3}$/u.test(value) ? Number(value) : 0;
  return seconds >= 1 && seconds <= MAXIMAL_SECONDS ? seconds : undefined;
}

function text(status: number, message: string): Response {
  return new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

interface ProfileKind {
  readonly name: string;
  /** The name of the downloaded file, whose extension DevTools expects. */
  readonly file: string;
  readonly description: string;
  /** The default duration. */
  readonly seconds: number;
  /** Records until the wait resolves. */
  readonly record: (wait: () => Promise<void>) => Promise<string | ReadableStream>;
}

const PROFILES: readonly ProfileKind[] = [
  {
    name: "profile",
    file: "manager.cpuprofile",
    description: "CPU time per function, recorded for ?seconds=30",
    seconds: 30,
    record: async (wait) =>
      await withSession(async (session) => {
        await session.post("Profiler.enable");
        await session.post("Profiler.start");
        await wait();
        return JSON.stringify((await session.post("Profiler.stop")).profile);
      }),
  },
  {
    name: "allocs",
    file: "manager.heapprofile",
    description: "memory allocated per function and still in use, sampled for ?seconds=30",
    seconds: 30,
    record: async (wait) =>
      await withSession(async (session) => {
        await session.post("HeapProfiler.startSampling");
        await wait();
        return JSON.stringify((await session.post("HeapProfiler.stopSampling")).profile);
      }),
  },
  {
    name: "heap",
    file: "manager.heapsnapshot",
    description: "all objects in memory, including secrets; the process stops while it is recorded",
    seconds: 1,
    record: () => Promise.resolve(Readable.toWeb(getHeapSnapshot()) as ReadableStream),
  },
  {
    name: "trace",
    file: "manager.trace.json",
    description: "garbage collections, compilations, and the event loop, recorded for ?seconds=1",
    seconds: 1,
    record: recordTrace,
  },
];

async function recordTrace(wait: () => Promise<void>): Promise<string> {
  return await withSession(async (session) => {
    const traceEvents: unknown[] = [];
    session.on("NodeTracing.dataCollected", ({ params }) => void traceEvents.push(...params.value));
    const complete = new Promise<void>((resolve) => {
      session.once("NodeTracing.tracingComplete", () => resolve());
    });
    const includedCategories = ["v8", "node.async_hooks", "node.perf", "node.environment"];
    await session.post("NodeTracing.start", { traceConfig: { includedCategories } });
    try {
      await wait();
    } finally {
      await session.post("NodeTracing.stop");
    }
    await complete;
    return JSON.stringify({ traceEvents });
  });
}

type InspectorSession = InstanceType<(typeof import("node:inspector/promises"))["Session"]>;

// Loaded on use, since a build of Node without the inspector throws here, and few processes are profiled.
async function withSession<T>(run: (session: InspectorSession) => Promise<T>): Promise<T> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    return await run(session);
  } finally {
    session.disconnect();
  }
}

const LINKS = PROFILES.map(({ name, description }) => `<li><a href="${name}">${name}</a>: ${description}</li>`);
const INDEX = `<!doctype html>
<title>Profiles</title>
<p>Profiles of this process. Open the files in Chrome DevTools: <code>.cpuprofile</code> and <code>.trace.json</code> in Performance, the others in Memory.</p>
<ul>
${LINKS.join("\n")}
</ul>
`;

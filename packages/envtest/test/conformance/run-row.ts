import { setTimeout as delay } from "node:timers/promises";

import { parseLosslessJson, printLosslessJson, type RestConfig, type Transport } from "@kubescaffold/k8s";

import type { Answer, Call, Row, RowContext } from "./row.ts";
import type { ConformanceTarget } from "./target.ts";
import { createScrubber, type TranscriptStep } from "./transcript.ts";
import { transportOf } from "./transport.ts";
import { watchStreamOf, type WatchStream } from "./watch-stream.ts";

const EVENTUALLY_MS = 20_000;
const EVENTUALLY_INTERVAL_MS = 50;

/** Runs a row in its own namespace and returns what happened, without what differs from run to run. */
export async function runRow(row: Row, target: ConformanceTarget): Promise<readonly TranscriptStep[]> {
  const steps: TranscriptStep[] = [];
  const scrubber = createScrubber();
  const cleanUps: (() => Promise<unknown>)[] = [];
  const namespace = `row-${String(row.row)}`;
  const quietly = async (call: Call): Promise<Answer> => exchange(call, target.admin);
  const context: RowContext = {
    namespace,
    admin: target.admin,
    kubectl: target.kubectl ?? "kubectl",
    quietly,
    send: async (step, call) => {
      const answer = await quietly(call);
      steps.push({
        step,
        request: `${call.method ?? "GET"} ${call.path.replace(/continue=ey[^&]*/u, "continue=<continue>")}`,
        ...scrubber.answer(answer),
      });
      return answer;
    },
    note: (step, fact) => {
      steps.push({ step, fact: scrubber.value(fact) });
    },
    watch: async (path) => {
      const stream = await openWatch(path, target.admin);
      cleanUps.push(() => stream.close());
      return stream;
    },
    eventually: async (call, isWanted) => eventually(() => quietly(call), isWanted),
    user: (name) => target.user(name),
    cleanUp: (work) => {
      cleanUps.push(work);
    },
  };
  try {
    await quietly({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    });
    await row.run(context);
    return steps;
  } finally {
    for (const work of cleanUps.reverse()) await work();
  }
}

const transports = new WeakMap<RestConfig, Transport>();

// One transport for each config, so that connections are used again.
function connected(config: RestConfig): Transport {
  const transport = transports.get(config) ?? transportOf(config);
  transports.set(config, transport);
  return transport;
}

async function exchange(call: Call, admin: RestConfig): Promise<Answer> {
  const { method = "GET", path, headers = {}, as = admin } = call;
  const body = call.bytes ?? call.text ?? (call.body === undefined ? undefined : printLosslessJson(call.body));
  const contentType = body === undefined ? {} : { "content-type": call.contentType ?? "application/json" };
  const request = new Request(`http://server.invalid${path}`, {
    method,
    headers: { accept: "application/json", ...contentType, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const response = await connected(as)(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) };
}

async function openWatch(path: string, admin: RestConfig): Promise<WatchStream> {
  return watchStreamOf(
    await connected(admin)(new Request(`http://server.invalid${path}`, { headers: { accept: "application/json" } })),
  );
}

async function eventually(call: () => Promise<Answer>, isWanted: (answer: Answer) => boolean): Promise<Answer> {
  const deadline = performance.now() + EVENTUALLY_MS;
  for (;;) {
    const answer = await call();
    if (isWanted(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`the last answer was not the wanted one: ${JSON.stringify(answer)}`);
    await delay(EVENTUALLY_INTERVAL_MS);
  }
}

function parse(text: string): unknown {
  try {
    return parseLosslessJson(text);
  } catch {
    return text;
  }
}

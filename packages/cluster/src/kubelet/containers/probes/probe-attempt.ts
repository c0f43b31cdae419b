import { connect as connectHttp2, constants } from "node:http2";
import type { Duplex } from "node:stream";

import { hostAndPort } from "@kubescaffold/apiserver/cluster-api";
import { messageOf } from "@kubescaffold/k8s";
import type { GRPCAction, HTTPGetAction, Probe, TCPSocketAction } from "@kubescaffold/k8s/core/v1";
import { type Clock, whenAborted } from "@kubescaffold/platform/clock";

import { getHttp, portOf, UnknownPortError } from "./http-get.ts";
import { CommandStartError, type ProbedContainer, type ProbeOutcome } from "./probed-container.ts";

/** When an attempt is over. */
interface Limit {
  readonly signal: AbortSignal;
  /** The time that it has, as text. */
  readonly timeout: string;
}

const PASSED: ProbeOutcome = { hasPassed: true, output: "" };

/** Makes one attempt of a probe. A probe without an action passes, and so does one of commands in an image that runs none. */
export async function attemptProbe(
  { httpGet, tcpSocket, grpc, exec }: Probe,
  container: ProbedContainer,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<ProbeOutcome> {
  const limit = new AbortController();
  const limited = { signal: limit.signal, timeout: durationText(timeoutMs) };
  const timer = clock.setTimeout(() => limit.abort(), timeoutMs).unref();
  try {
    if (httpGet !== undefined) return await probeHttp(httpGet, container, limit.signal);
    if (tcpSocket !== undefined) return await probeSocket(tcpSocket, container);
    if (grpc !== undefined) return await checkGrpc(grpc, container, limited);
    if (exec !== undefined) return await runCommand(exec.command ?? [], container, limited);
    return PASSED;
  } catch (error) {
    const outcome = failed(messageOf(error));
    return error instanceof UnknownPortError || error instanceof CommandStartError
      ? { ...outcome, isUnknown: true }
      : outcome;
  } finally {
    timer.cancel();
  }
}

function failed(output: string): ProbeOutcome {
  return { hasPassed: false, output };
}

// Prints a duration as Go does.
function durationText(ms: number): string {
  const seconds = ms / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  const parts = [...(hours > 0 ? [`${String(hours)}h`] : []), ...(minutes > 0 ? [`${String(minutes % 60)}m`] : [])];
  return [...parts, `${String(seconds % 60)}s`].join("");
}

async function connectTo(container: ProbedContainer, host: string, port: number): Promise<Duplex> {
  if (host !== "" && host !== container.address) return await container.connectTo(host, port);
  const connection = container.connect(port);
  if (connection !== undefined) return connection;
  throw new Error(`dial tcp ${hostAndPort(container.address, port)}: connect: connection refused`);
}

async function probeSocket({ port, host = "" }: TCPSocketAction, container: ProbedContainer): Promise<ProbeOutcome> {
  (await connectTo(container, host, portOf(container.spec, port))).destroy();
  return PASSED;
}

async function probeHttp(
  action: HTTPGetAction,
  container: ProbedContainer,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const { spec, address, kubeletMinor } = container;
  const open = async (host: string, port: number): Promise<Duplex> => await connectTo(container, host, port);
  const status = await getHttp(action, { spec, address, userAgent: `kube-probe/${kubeletMinor}`, open }, signal);
  return status >= 200 && status < 400 ? PASSED : failed(`HTTP probe failed with statuscode: ${String(status)}`);
}

async function runCommand(
  command: readonly string[],
  container: ProbedContainer,
  { signal, timeout }: Limit,
): Promise<ProbeOutcome> {
  const run = container.exec(command);
  if (run === undefined) return PASSED;
  const result = await Promise.race([run, whenAborted(signal)]);
  if (result === undefined)
    return failed(`command timed out: ${JSON.stringify(command.join(" "))} timed out after ${timeout}`);
  return { hasPassed: result.code === 0, output: result.output };
}

const GRPC_PATH = "/grpc.health.v1.Health/Check";
// The value of ServingStatus that means that all is well.
const SERVING = 1;
const PREFIX_BYTES = 5;

async function checkGrpc(
  { port, service = "" }: GRPCAction,
  container: ProbedContainer,
  { signal, timeout }: Limit,
): Promise<ProbeOutcome> {
  // A kubelet dials until its time is over.
  const connection = container.connect(port);
  if (connection === undefined) {
    const service = hostAndPort(container.address, port);
    return failed(`timeout: failed to connect service "${service}" within ${timeout}: context deadline exceeded`);
  }
  const session = connectHttp2("http://container", { createConnection: () => connection });
  session.on("error", () => undefined);
  try {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: GRPC_PATH,
      "content-type": "application/grpc",
      te: "trailers",
    });
    signal.addEventListener(
      "abort",
      () => stream.destroy(new Error(`timeout: health rpc did not complete within ${timeout}`)),
      {
        once: true,
      },
    );
    stream.end(grpcMessage(healthRequest(service)));
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    const status = servingStatus(Buffer.concat(chunks).subarray(PREFIX_BYTES));
    return status === SERVING
      ? PASSED
      : failed(`service unhealthy (responded with "${STATUS_NAMES[status] ?? status}")`);
  } finally {
    session.destroy();
  }
}

const STATUS_NAMES: readonly (string | undefined)[] = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

// The first field of both messages: the name of the service, and the status.
const NAME_TAG = 0x0a;
const STATUS_TAG = 0x08;

function healthRequest(service: string): Buffer {
  const name = Buffer.from(service);
  return name.length === 0 ? name : Buffer.concat([Buffer.from([NAME_TAG, name.length]), name]);
}

function servingStatus(message: Buffer): number {
  return message[0] === STATUS_TAG ? (message[1] ?? 0) : 0;
}

function grpcMessage(message: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

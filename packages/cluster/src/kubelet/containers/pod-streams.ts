import {
  badRequest,
  checkPermission,
  forbidden,
  internalError,
  isWebSocketRequest,
  type MessageSocket,
  type PodStreams,
  queryFlag,
  type RequestContext,
  type ResponseSink,
  type ServerContext,
  type ServerResponse,
  throwNoContainer,
  throwNoStream,
  webSocketProtocols,
} from "@kubescaffold/apiserver/cluster-api";
import { newNotFound } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { SpdyTransport } from "@kubescaffold/k8s/spdy";
import { PORT_FORWARD_PROTOCOL } from "@kubescaffold/k8s/streams";
import { onAbort } from "@kubescaffold/platform/clock";

import { ChannelSocket } from "./channels/channel-codec.ts";
import { acceptChannels, SPDY_COMMAND_PROTOCOLS, type StreamType } from "./channels/spdy-channels.ts";
import { upgradeToSpdy } from "./channels/spdy-upgrade.ts";
import { closeWhenIdle } from "./channels/stream-timeouts.ts";
import type { ContainerRuntime } from "./container-runtime.ts";
import type { SimulatedContainer } from "./container.ts";
import { logAnswer, logOptions } from "./pod-log.ts";
import { PORT_CHANNEL_PROTOCOLS, servePortChannels } from "./port-channels.ts";
import { servePortForward } from "./port-forward.ts";
import { type RemoteCommandOptions, serveAttach, SERVED_PROTOCOLS, serveExec } from "./remote-command.ts";

const PODS = { group: "", resource: "pods" } as const;

/** Serves the streams of simulated containers. */
export function podStreams(context: ServerContext, runtime: ContainerRuntime): PodStreams {
  return {
    serve: async (request) => {
      const call = { context, runtime, request };
      switch (request.info.subresource) {
        case "log":
          return serveLog(call);
        case "exec":
          return await serveRemoteCommand(call, serveExec);
        case "attach":
          return await serveRemoteCommand(call, serveAttach);
        case "portforward":
          return await servePorts(call);
        case "proxy": {
          // Loaded here, since few clients use it.
          const { serveProxy } = await import("./pod-proxy.ts");
          return await serveProxy(call);
        }
        default:
          return throwNoStream(request.info.subresource);
      }
    },
  };
}

interface Call {
  readonly context: ServerContext;
  readonly runtime: ContainerRuntime;
  readonly request: RequestContext;
}

const NO_CONTENT: ServerResponse = { code: 204, contentType: "text/plain", body: "" };

function serveLog(call: Call): ServerResponse {
  const { query } = call.request.request;
  const options = logOptions(query, call.request.info.name);
  const pod = podOf(call);
  const name = containerName(pod, query.get("container") ?? "");
  if ((pod.spec?.nodeName ?? "") === "") return NO_CONTENT;
  const answer = logAnswer(containerOf(call, pod, name), pod, options, call.context.clock);
  const { request } = call.request;
  return request.canUpgrade === true && isWebSocketRequest(request) ? overWebSocket(call, answer) : answer;
}

const LOG_PROTOCOLS = ["binary.k8s.io", "base64.binary.k8s.io"] as const;

// Each piece of the log is a message.
function overWebSocket(call: Call, { body }: ServerResponse): ServerResponse {
  const { protocols } = webSocketProtocols(call.request.request);
  const protocol = protocols.length === 0 ? "" : negotiate(call, LOG_PROTOCOLS);
  if (typeof body !== "object" || !("start" in body)) throw new TypeError("a log is a stream");
  return upgradeTo(protocol, async (socket) => {
    let sent = Promise.resolve();
    const sink: ResponseSink = {
      write: (chunk) => {
        const bytes = Buffer.from(chunk);
        const message = protocol === "base64.binary.k8s.io" ? bytes.toString("base64") : bytes;
        // A client that went away no longer takes output.
        sent = sent.then(async () => await socket.send(message)).catch(() => undefined);
      },
      pendingBytes: 0,
      drained: async () => await sent,
      done: () => void sent.then(() => socket.close(NORMAL_CLOSURE)),
    };
    body.start(sink, socket.closed);
    // Clients have nothing to say.
    for await (const _ of socket.messages());
  });
}

const NORMAL_CLOSURE = 1000;

async function serveRemoteCommand(call: Call, serve: typeof serveExec): Promise<ServerResponse> {
  await authorizeCreate(call);
  const { clock } = call.context;
  const { query } = call.request.request;
  const pod = podOf(call);
  const name = containerName(pod, query.get("container") ?? "");
  requireNode(pod);
  const container = containerOf(call, pod, name);
  const tty = queryFlag(query, "tty");
  const isWebSocket = requestsWebSocket(call);
  const options = {
    stdin: queryFlag(query, "stdin"),
    stdout: queryFlag(query, "stdout"),
    stderr: queryFlag(query, "stderr") && !tty,
    tty,
    command: query.getAll("command"),
  };
  if (!options.stdin && !options.stdout && !options.stderr) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  if (!container.isRunning) throw internalError(`container not found (${JSON.stringify(name)})`);
  if (!isWebSocket) {
    return upgradeToSpdy(call.request.request, SPDY_COMMAND_PROTOCOLS, async (transport, protocol) => {
      const channels = await acceptChannels(transport, streamTypes(options, protocol), clock);
      await serve(channels, container, { ...options, protocol });
    });
  }
  const protocol = negotiate(call, SERVED_PROTOCOLS);
  return upgradeTo(protocol, async (socket) =>
    serve(new ChannelSocket(closeWhenIdle(socket, clock), protocol), container, { ...options, protocol }),
  );
}

// Terminals can be resized since version 3.
function streamTypes(
  options: Omit<RemoteCommandOptions, "protocol">,
  protocol: RemoteCommandOptions["protocol"],
): ReadonlySet<StreamType> {
  const types = new Set<StreamType>(["error"]);
  for (const type of ["stdin", "stdout", "stderr"] as const) if (options[type]) types.add(type);
  if (options.tty && /^v[34]/u.test(protocol)) types.add("resize");
  return types;
}

async function servePorts(call: Call): Promise<ServerResponse> {
  await authorizeCreate(call);
  checkPorts(call.request.request.query);
  const pod = podOf(call);
  requireNode(pod);
  const containers = call.runtime.containersOf(pod.metadata.uid ?? "");
  const [container] = pod.spec?.containers ?? [];
  if (containers.length === 0) {
    throwNoContainer("portforward", { name: container?.name ?? "", image: container?.image ?? "" });
  }
  const { runtime, context } = call;
  const target = { uid: pod.metadata.uid ?? "", name: pod.metadata.name ?? "", clock: context.clock };
  if (!requestsWebSocket(call)) {
    return upgradeToSpdy(call.request.request, [SPDY_PORT_PROTOCOL], async (transport) =>
      servePortForward(transport, runtime, target),
    );
  }
  const protocol = negotiate(call, [PORT_FORWARD_PROTOCOL, ...PORT_CHANNEL_PROTOCOLS]);
  if (protocol === PORT_FORWARD_PROTOCOL) {
    return upgradeTo(protocol, async (socket) => servePortForward(tunnelOf(socket), runtime, target));
  }
  const ports = portsOf(call.request.request.query);
  return upgradeTo(protocol, async (socket) =>
    servePortChannels(closeWhenIdle(socket, context.clock), runtime, { target, ports, protocol }),
  );
}

const SPDY_PORT_PROTOCOL = "portforward.k8s.io";

function tunnelOf(socket: MessageSocket): SpdyTransport {
  return {
    chunks: () => socket.messages(),
    write: async (bytes) => socket.send(bytes),
    close: () => socket.close(NORMAL_CLOSURE),
    closed: (listener) => void onAbort(socket.closed, listener),
  };
}

// More have no channels.
const MOST_PORTS = 127;
const LARGEST_PORT = 65_535;

// As kubelets, which read the ports of the query unless each stream has its own.
function portsOf(query: URLSearchParams): readonly number[] {
  const ports = query.getAll("ports").flatMap((text) => text.split(","));
  if (ports.length === 0) throw badRequest('query parameter "port" is required');
  if (ports.length > MOST_PORTS)
    throw badRequest(`${String(ports.length)} ports are too many, at most ${String(MOST_PORTS)}`);
  return ports.map((text) => {
    const port = Number(text);
    if (port > LARGEST_PORT) {
      throw badRequest(
        `unable to parse ${JSON.stringify(text)} as a port: strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`,
      );
    }
    if (port < 1) throw badRequest(`port ${JSON.stringify(text)} must be > 0`);
    return port;
  });
}

// Only checks the ports of the query: each stream of a tunnel has its own.
function checkPorts(query: URLSearchParams): void {
  for (const port of query.getAll("ports").flatMap((text) => text.split(","))) {
    if (/^\d+$/u.test(port)) continue;
    throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`);
  }
}

// As kube-apiserver 1.35: a WebSocket is a GET, so the verb of its request does not protect what SPDY needs create for.
async function authorizeCreate({ context, request }: Call): Promise<void> {
  const { info, user } = request;
  if (info.verb === "create") return;
  const { allowed, reason } = await checkPermission(context, { ...info, user, verb: "create" });
  if (!allowed) throw forbidden({ groupResource: PODS, name: info.name }, reason);
}

function requireNode(pod: Pod): void {
  if ((pod.spec?.nodeName ?? "") !== "") return;
  throw badRequest(`pod ${pod.metadata.name ?? ""} does not have a host assigned`);
}

// Fails with 400 for a request that does not upgrade its connection.
function requestsWebSocket({ request: { request } }: Call): boolean {
  if (request.header("upgrade") === undefined || request.canUpgrade !== true)
    throw badRequest("Upgrade request required");
  return isWebSocketRequest(request);
}

// Returns the subprotocol that the client prefers. Fails with 400.
function negotiate<Protocol extends string>({ request }: Call, protocols: readonly Protocol[]): Protocol {
  const { protocols: offered } = webSocketProtocols(request.request);
  // A client that offers none gets the protocol without a name.
  const wanted = offered.length === 0 ? [""] : offered;
  const chosen = wanted.find((each): each is Protocol => protocols.some((protocol) => protocol === each));
  if (chosen !== undefined) return chosen;
  throw badRequest(
    `unable to negotiate a WebSocket protocol: client supports [${offered.join(" ")}], server accepts [${protocols.filter((each) => each !== "").join(" ")}]`,
  );
}

function upgradeTo(protocol: string, serve: (socket: MessageSocket) => Promise<void>): ServerResponse {
  return {
    code: 101,
    contentType: "",
    body: {
      protocol: protocol === "" ? undefined : protocol,
      // A connection that breaks ends the stream, which is no failure.
      open: (socket) => void serve(socket).catch(() => socket.close(BROKEN)),
    },
  };
}

// The code of WebSockets for an unexpected condition.
const BROKEN = 1011;

function podOf({ context, request }: Call): Pod {
  const { namespace, name } = request.info;
  const pod = context.objects.get(PODS, { namespace, name });
  if (pod === undefined) throw newNotFound(PODS, name);
  return pod;
}

// Fails with 400 for a name that the pod has no container of, and without a name for one with several.
function containerName(pod: Pod, requested: string): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  const podName = pod.metadata.name ?? "";
  if (requested !== "") {
    if (names.includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${podName}`);
  }
  const [only, ...others] = containers;
  if (only !== undefined && others.length === 0) return only.name;
  throw badRequest(`a container name must be specified for pod ${podName}, choose one of: [${names.join(" ")}]`);
}

// Fails with 501 if the image has no definition.
function containerOf({ runtime, request }: Call, pod: Pod, name: string): SimulatedContainer {
  const found = runtime.find(pod.metadata.uid ?? "", name);
  if (found !== undefined) return found;
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const spec = [...containers, ...initContainers, ...ephemeralContainers].find((each) => each.name === name);
  return throwNoContainer(request.info.subresource, { name, image: spec?.image ?? "" });
}

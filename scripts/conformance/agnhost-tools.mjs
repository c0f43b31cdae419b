// Commands of Kubernetes' test image agnhost beside its servers and webhooks.
import { createServer as createHttp2Server } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";

import { checkIssuer } from "./agnhost-issuer.mjs";
import { testMounts } from "./agnhost-mounts.mjs";
import { listenHttp } from "./agnhost-servers.mjs";

/** The commands by their names: each gets the container, its files, the flags, and what resolves when the container must stop. */
export const TOOLS = {
  "entrypoint-tester": ({ container }) => {
    container.stdout.write(`[${[container.command[0] ?? "/agnhost", ...container.args].join(" ")}]\n`);
    return 0;
  },
  "etc-hosts": ({ container, files }) => {
    container.stdout.write(files.read("/etc/hosts"));
    return 0;
  },
  "grpc-health-checking": serveHealth,
  "logs-generator": generateLogs,
  mounttest: testMounts,
  porter: servePorts,
  "test-service-account-issuer-discovery": checkIssuer,
};

const RESOLVER_KEYWORDS = { "dns-server-list": "nameserver", "dns-suffix": "search" };

/** Returns what the commands about DNS print; undefined for other commands. */
export function resolverText(command, files) {
  const keyword = RESOLVER_KEYWORDS[command];
  if (keyword === undefined) return undefined;
  const lines = (files.get("/etc/resolv.conf")?.toString("utf8") ?? "").split("\n").map((line) => line.split(" "));
  return lines.flatMap(([first, ...values]) => (first === keyword ? values : [])).join(",");
}

const PORT_PREFIX = "SERVE_PORT_";
const TLS_PREFIX = "SERVE_TLS_PORT_";

async function servePorts({ container, files, flags, stopped }) {
  const { env } = container;
  const cert = files.read(env.CERT_FILE ?? "/localhost.crt");
  const key = files.read(env.KEY_FILE ?? "/localhost.key");
  for (const [name, value] of Object.entries(env)) {
    const isTls = name.startsWith(TLS_PREFIX);
    if (!isTls && !name.startsWith(PORT_PREFIX)) continue;
    const respond = (request, response) => {
      const isJson = flags.get("json-response") === "true";
      response.writeHead(200, { "content-type": isJson ? "application/json" : detectedType(value) });
      response.end(isJson ? JSON.stringify({ Method: request.method, Body: value }) : value);
    };
    const port = Number(name.slice(isTls ? TLS_PREFIX.length : PORT_PREFIX.length));
    listenHttp(container, port, respond, isTls ? { cert, key } : undefined);
  }
  return await stopped;
}

// As servers in Go detect it.
function detectedType(body) {
  return /^\s{0,100}<(?:!--|a|b|body|br|div|h1|head|html|p)[ >]/iu.test(body)
    ? "text/html; charset=utf-8"
    : "text/plain; charset=utf-8";
}

const METHODS = ["GET", "POST", "PUT"];
const NAMESPACES = ["kube-system", "default", "ns"];
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

async function generateLogs({ container, flags }) {
  const total = Number(flags.get("log-lines-total") ?? flags.get("t") ?? 0);
  const pauseMs = durationMs(flags.get("run-duration") ?? flags.get("d") ?? "0s") / total;
  for (let id = 0; id < total && !container.signal.aborted; id += 1) {
    const [method, namespace] = [METHODS[id % METHODS.length], NAMESPACES[id % NAMESPACES.length]];
    const name = Math.random().toString(36).slice(2, 5);
    const line = `${String(id)} ${method} /api/v1/namespaces/${namespace}/pods/${name} ${String(200 + ((id * 37) % 400))}`;
    const time = new Date().toISOString().slice(11, 23);
    container.stderr.write(`I${time.slice(0, 2)}00 ${time}000       1 logs_generator.go:76] ${line}\n`);
    await delay(pauseMs, undefined, { signal: container.signal }).catch(() => undefined);
  }
  return 0;
}

function durationMs(text) {
  return [...text.matchAll(/(?<count>\d{1,9})(?<unit>ms|s|m|h)/gu)].reduce(
    (sum, { groups }) => sum + Number(groups.count) * UNIT_MS[groups.unit],
    0,
  );
}

// The frame of the answer SERVING.
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);
const NOT_SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 2]);

// Serves gRPC's health protocol; requests to another port make it unhealthy.
async function serveHealth({ container, flags, stopped }) {
  let isServing = true;
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.resume();
    stream.end(isServing ? SERVING : NOT_SERVING);
  });
  container.ports.listen(Number(flags.get("port") ?? 5000), (connection) => server.emit("connection", connection));
  const unhealthyAfterMs = Number(flags.get("delay-unhealthy-sec") ?? -1) * 1000;
  const timer = unhealthyAfterMs < 0 ? undefined : setTimeout(() => (isServing = false), unhealthyAfterMs);
  listenHttp(container, Number(flags.get("http-port") ?? 8080), (request, response) => {
    isServing = !request.url.startsWith("/make-not-serving") && (isServing || request.url.startsWith("/make-serving"));
    response.end("");
  });
  const code = await stopped;
  clearTimeout(timer);
  return code;
}

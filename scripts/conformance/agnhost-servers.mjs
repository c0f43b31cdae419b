// The servers of Kubernetes' test image agnhost over HTTP and UDP. None of them serves SCTP.
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";

import { guestbook } from "./agnhost-guestbook.mjs";
import { identityOf } from "./container-identity.mjs";
import { exchangeDatagram, fetchText } from "./http-client.mjs";
import { runProgram } from "./shell.mjs";

/** What the servers answer, by command: the port by default, and the answer to a request. */
export const SERVERS = {
  guestbook,
  liveness: { portFlag: "", port: 8080, answer: answerLiveness() },
  nettest: { portFlag: "port", port: 8080, answer: answerNettest, prepare: () => ({ received: new Map() }) },
  netexec: { portFlag: "http-port", port: 8080, answer: answerNetexec, listenDatagrams },
  "serve-hostname": { portFlag: "port", port: 9376, answer: ({ container }) => text(container.env.HOSTNAME) },
  "test-webserver": { portFlag: "port", port: 80, answer: answerFile },
};

/** Starts a server of a container, and returns its exit code when it has stopped. */
export async function startServer({ container, files, flags }, server, stopped) {
  const { portFlag, port, answer, prepare } = server;
  const state = (await prepare?.({ container, flags })) ?? {};
  const startedAt = Date.now();
  return await new Promise((resolve) => {
    const respond = async (request, response) => {
      const own = new URL(request.url, "http://container");
      const override = flags.get("http-override");
      const url = override === undefined ? own : new URL(override, "http://container");
      const parts = { container, files, flags, request, url, state, startedAt };
      const { status, type = "text/plain; charset=utf-8", body, headers, exitCode } = await answer(parts);
      container.log(`GET ${url.pathname}${url.search}`);
      response.writeHead(status, { "content-type": type, ...headers });
      response.end(body, () => {
        if (exitCode !== undefined) resolve(exitCode);
      });
    };
    const cert = files.read(flags.get("tls-cert-file") ?? "");
    const key = files.read(flags.get("tls-private-key-file") ?? "");
    listenHttp(container, Number(flags.get(portFlag) ?? port), respond, cert === undefined ? undefined : { cert, key });
    container.log(`Serving on port ${String(flags.get(portFlag) ?? port)}.`);
    server.listenDatagrams?.({ container, flags });
    void stopped.then(resolve);
  });
}

// Counts the messages of each source.
async function answerNettest({ container, request, url, state }) {
  const Hostname = container.env.HOSTNAME;
  if (url.pathname === "/read") return text(JSON.stringify({ Hostname, Received: Object.fromEntries(state.received) }));
  if (url.pathname !== "/write") return text("404 page not found\n", 404);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { Source = "" } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  state.received.set(Source, (state.received.get(Source) ?? 0) + 1);
  return text(JSON.stringify({ Hostname }));
}

/** Listens on a port of a container. */
export function listenHttp(container, port, respond, tls) {
  const onRequest = (request, response) => {
    Promise.resolve(respond(request, response)).catch((error) => {
      response.statusCode = 500;
      response.end(error.message);
    });
  };
  const server = tls === undefined ? createServer(onRequest) : createHttpsServer(tls, onRequest);
  container.ports.listen(port, (connection) => server.emit("connection", connection));
}

// The server over UDP of netexec.
function listenDatagrams({ container, flags }) {
  const port = Number(flags.get("udp-port") ?? 8081);
  if (port < 0) return;
  const onDatagram = (connection) => {
    connection.on("data", (chunk) => {
      const command = chunk.toString("utf8").trim();
      const [name, rest = ""] = command.split(/ (.*)/su);
      const answers = { hostname: container.env.HOSTNAME, echo: rest, serverport: String(port) };
      const answer = answers[name.toLowerCase()];
      if (answer !== undefined) connection.write(answer);
    });
  };
  container.ports.listen(port, onDatagram, { protocol: "UDP" });
}

function text(body, status = 200) {
  return { status, body };
}

async function answerNetexec({ container, files, flags, request, url }) {
  const parameter = (name) => url.searchParams.get(name) ?? "";
  switch (url.pathname) {
    case "/":
      return text(`NOW: ${new Date().toISOString()}`);
    case "/hostname":
    case "/hostName":
      return text(container.env.HOSTNAME);
    case "/serverport":
      return text(flags.get("http-port") ?? "8080");
    case "/echo":
      return text(parameter("msg"), Number(parameter("code") || 200));
    case "/header":
      return text(
        parameter("key") === ""
          ? JSON.stringify(request.headers)
          : (request.headers[parameter("key").toLowerCase()] ?? ""),
      );
    case "/redirect":
      return { ...text("", Number(parameter("code") || 302)), headers: { location: parameter("location") } };
    case "/healthz":
      return text("");
    case "/readyz":
      return container.signal.aborted ? text("shutting down", 503) : text("ok");
    case "/exit":
    case "/shutdown":
      return { ...text(""), exitCode: Number(parameter("code") || 0) };
    case "/shell":
      return text(await runShell({ container, files }, parameter("shellCommand") || parameter("cmd")));
    case "/dial":
      return text(await dial(container, parameter));
    default:
      return text(`NOW: ${new Date().toISOString()}`);
  }
}

async function runShell({ container, files }, script) {
  let output = "";
  const out = (chunk) => (output += chunk);
  const { env, signal } = container;
  const identity = identityOf(container);
  const process = { env, files, identity, signal, network: container, out, err: out };
  const status = await runProgram(["sh", "-c", script], process);
  return JSON.stringify({
    ...(output === "" ? {} : { output }),
    ...(status === 0 ? {} : { error: `exit status ${String(status)}` }),
  });
}

async function dial(container, parameter) {
  const protocol = parameter("protocol") || "http";
  const [host, port] = [parameter("host"), Number(parameter("port"))];
  if (protocol === "sctp") return JSON.stringify({ errors: ["SCTP is not simulated"] });
  const url = `http://${parameter("host")}:${parameter("port")}/${parameter("request")}`;
  const responses = [];
  const errors = [];
  for (let tries = Number(parameter("tries") || 1); tries > 0; tries -= 1) {
    try {
      responses.push(
        protocol === "udp"
          ? await exchangeDatagram(container, { host, port, text: parameter("request") })
          : (await fetchText(container, url)).body,
      );
    } catch (error) {
      errors.push(`Get "${url}": ${error.message}`);
    }
  }
  return JSON.stringify({ ...(responses.length > 0 ? { responses } : {}), ...(errors.length > 0 ? { errors } : {}) });
}

const ALIVE_MS = 10_000;

// Healthy for ten seconds.
function answerLiveness() {
  return ({ url, startedAt }) => {
    const elapsedMs = Date.now() - startedAt;
    switch (url.pathname) {
      case "/started":
        return text(`${String(elapsedMs / 1000)}s`);
      case "/healthz":
        return elapsedMs > ALIVE_MS ? text(`error: ${String(elapsedMs / 1000)}`, 500) : text("ok");
      case "/redirect":
        return { ...text("", 302), headers: { location: url.searchParams.get("loc") ?? "" } };
      default:
        return text("404 page not found\n", 404);
    }
  };
}

function answerFile({ files, url }) {
  const bytes = files.read(url.pathname);
  if (bytes !== undefined) return text(bytes);
  if (!files.isFolder(url.pathname)) return text("404 page not found\n", 404);
  const links = files.list(url.pathname).map((name) => `<a href="${name}">${name}</a>\n`);
  return { ...text(`<pre>\n${links.join("")}</pre>\n`), type: "text/html; charset=utf-8" };
}

// Requests over HTTP and lookups from a simulated container, through the network of the cluster.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect as connectTls } from "node:tls";

/** Requests a URL; returns the status and the body. Throws if nothing answers. */
export async function fetchText(
  { connect },
  address,
  { headers = {}, timeoutMs = 5000, method = "GET", data, ca } = {},
) {
  const url = new URL(address);
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const connection = await connect(url.hostname, port);
  connection.on("error", () => undefined);
  return await new Promise((resolve, reject) => {
    const socket = isTls
      ? connectTls({ socket: connection, servername: serverName(url.hostname), host: url.hostname, ca })
      : connection;
    const outgoing = httpRequest({
      method,
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, connection: "close", ...headers },
      createConnection: () => socket,
      signal: AbortSignal.timeout(timeoutMs),
    });
    outgoing.once("error", reject);
    socket.once("error", reject);
    outgoing.once("response", (message) => {
      const chunks = [];
      message.on("data", (chunk) => chunks.push(chunk));
      message.once("error", reject);
      message.once("end", () => resolve({ status: message.statusCode, body: Buffer.concat(chunks).toString("utf8") }));
    });
    outgoing.end(data);
  });
}

function serverName(host) {
  return /^[\d.]+$/u.test(host) ? undefined : host;
}

/** Sends a text over a connection and returns what comes back until the end, or until nothing comes for a while. */
export async function exchangeText({ connect }, { host, port, text, timeoutMs }) {
  const connection = await connect(host, port);
  return await new Promise((resolve) => {
    let received = "";
    const end = () => {
      clearTimeout(timer);
      connection.destroy();
      resolve(received);
    };
    let timer = setTimeout(end, timeoutMs);
    connection.on("data", (chunk) => {
      received += chunk.toString("utf8");
      clearTimeout(timer);
      timer = setTimeout(end, timeoutMs);
    });
    connection.once("end", end);
    connection.once("error", end);
    if (text !== "") connection.write(text);
  });
}

/** Sends a datagram and returns the one that comes back. Throws if none does. */
export async function exchangeDatagram({ connect }, { host, port, text, timeoutMs = 5000 }) {
  const connection = await connect(host, port, { protocol: "UDP" });
  try {
    connection.write(text);
    const [answer] = await once(connection, "data", { signal: AbortSignal.timeout(timeoutMs) });
    return answer.toString("utf8");
  } finally {
    connection.destroy();
  }
}

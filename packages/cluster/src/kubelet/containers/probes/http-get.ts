import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";

import { hostAndPort } from "@kubescaffold/apiserver/cluster-api";
import { messageOf } from "@kubescaffold/k8s";
import type { Container, HTTPGetAction } from "@kubescaffold/k8s/core/v1";

/** How a kubelet reaches a container over HTTP. */
export interface HttpGetTarget {
  readonly spec: Pick<Container, "ports">;
  /** The address of its Pod, which actions without a host mean. */
  readonly address: string;
  readonly userAgent: string;
  /** Opens a connection. Fails with the reason. */
  readonly open: (host: string, port: number) => Duplex | Promise<Duplex>;
}

/** Sends the request of a probe or a lifecycle hook, and returns the status of the response. Fails with the message of a Go client. */
export async function getHttp(
  { path = "/", port, scheme = "HTTP", host = "", httpHeaders = [] }: HTTPGetAction,
  target: HttpGetTarget,
  signal: AbortSignal,
): Promise<number> {
  const number = portOf(target.spec, port);
  const authority = hostAndPort(host === "" ? target.address : host, number);
  const failure = (reason: string): Error =>
    new Error(`Get "${scheme.toLowerCase()}://${authority}${path}": ${reason}`);
  const connection = await opened(target, host === "" ? target.address : host, number).catch((error: unknown) => {
    throw failure(messageOf(error));
  });
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest({
      path,
      signal,
      headers: {
        host: authority,
        "user-agent": target.userAgent,
        accept: "*/*",
        connection: "close",
        ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])),
      },
      createConnection: () =>
        scheme === "HTTPS" ? connectTls({ socket: connection, rejectUnauthorized: false }) : connection,
    });
    outgoing.once("response", resolve);
    // Without a listener, Node closes the connection and reports nothing.
    outgoing.once("upgrade", (switched, socket) => {
      socket.destroy();
      resolve(switched);
    });
    outgoing.once("error", (error) => reject(failure(reasonOf(error, signal))));
    outgoing.end();
  });
  message.on("error", () => undefined);
  message.resume();
  return message.statusCode ?? 0;
}

async function opened({ open }: HttpGetTarget, host: string, port: number): Promise<Duplex> {
  return await open(host, port);
}

/** Thrown for the name of a port that a container does not have. */
export class UnknownPortError extends Error {}

/** Returns the number of a port of a container, which may have a name. Fails: {@link UnknownPortError}. */
export function portOf({ ports = [] }: Pick<Container, "ports">, port: number | string): number {
  if (typeof port === "number") return port;
  const number = ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
  if (Number.isInteger(number)) return number;
  throw new UnknownPortError(`strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`);
}

function reasonOf(error: Error, { aborted }: AbortSignal): string {
  return aborted ? "context deadline exceeded (Client.Timeout exceeded while awaiting headers)" : error.message;
}

import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";

import type { Container, HTTPGetAction } from "@kubescaffold/k8s/core/v1";

import { hostAndPort } from "../resources/address-ranges.ts";

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
  const connection = await target.open(host === "" ? target.address : host, number);
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
    outgoing.once("error", (error) =>
      reject(new Error(`Get "${scheme.toLowerCase()}://${authority}${path}": ${reasonOf(error, signal)}`)),
    );
    outgoing.end();
  });
  message.on("error", () => undefined);
  message.resume();
  return message.statusCode ?? 0;
}

/** Returns the number of a port of a container, which may have a name. */
export function portOf({ ports = [] }: Pick<Container, "ports">, port: number | string): number {
  if (typeof port === "number") return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}

function reasonOf(error: Error, { aborted }: AbortSignal): string {
  return aborted ? "context deadline exceeded (Client.Timeout exceeded while awaiting headers)" : error.message;
}

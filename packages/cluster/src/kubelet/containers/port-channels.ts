import type { Duplex } from "node:stream";

import type { MessageSocket } from "@kubescaffold/apiserver/cluster-api";

import { ChannelSocket } from "./channels/channel-codec.ts";
import type { ContainerRuntime } from "./container-runtime.ts";
import { connectTo, type ForwardTarget, refusedConnection } from "./port-forward.ts";

/** The subprotocols of port forwarding without a tunnel, which all clients but those of Go use; a client that offers none gets the first. */
export const PORT_CHANNEL_PROTOCOLS = ["", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"] as const;

const NORMAL_CLOSURE = 1000;

/**
 * Forwards one connection to each of the ports of a Pod: of each pair of channels, the first carries the bytes, the second the text of a failure. Each channel
 * starts with the number of its port. Ends with the connections.
 */
export async function servePortChannels(
  socket: MessageSocket,
  runtime: ContainerRuntime,
  {
    target,
    ports,
    protocol,
  }: { readonly target: ForwardTarget; readonly ports: readonly number[]; readonly protocol: string },
): Promise<void> {
  const channels = new ChannelSocket(socket, protocol);
  for (const [index, port] of ports.entries()) {
    const number = Buffer.of(port & 0xff, port >> 8);
    await channels.send(2 * index, number);
    await channels.send(2 * index + 1, number);
  }
  const connections = ports.map((port) => connectTo(runtime, target.uid, port));
  void receive(channels, connections);
  await Promise.all(
    connections.map(async (connection, index) => {
      if (connection === undefined) {
        await channels.send(2 * index + 1, Buffer.from(refusedConnection(target, ports[index] ?? 0)));
      } else {
        await sendAll(channels, 2 * index, connection);
      }
    }),
  ).catch(() => undefined);
  for (const connection of connections) connection?.destroy();
  channels.close(NORMAL_CLOSURE);
}

// A client that cannot read as fast holds the connection back.
async function sendAll(channels: ChannelSocket, channel: number, connection: Duplex): Promise<void> {
  const stop = (): void => void connection.destroy();
  channels.closed.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of connection as AsyncIterable<Buffer>) await channels.send(channel, chunk);
  } finally {
    channels.closed.removeEventListener("abort", stop);
  }
}

// Ends with the WebSocket, and with it the connections.
async function receive(channels: ChannelSocket, connections: readonly (Duplex | undefined)[]): Promise<void> {
  for (const connection of connections) connection?.on("error", () => undefined);
  try {
    for await (const { channel, data } of channels.messages()) {
      const connection = channel % 2 === 0 ? connections[channel / 2] : undefined;
      if (connection === undefined || data.length === 0 || !connection.writable) continue;
      if (!connection.write(data)) await drained(connection);
    }
  } catch {
    // The client has gone away.
  }
  for (const connection of connections) connection?.destroy();
}

async function drained(connection: Duplex): Promise<void> {
  await new Promise<void>((resolve) => {
    const proceed = (): void => {
      connection.off("drain", proceed).off("close", proceed);
      resolve();
    };
    connection.on("drain", proceed).on("close", proceed);
  });
}

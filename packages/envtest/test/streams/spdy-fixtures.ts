import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { SpdySession } from "@kubescaffold/k8s/spdy";

import { runHere, runPod } from "./stream-fixtures.ts";

/** A server that serves streams, and the credentials of a client. */
export interface Target {
  readonly server: URL;
  readonly authorization: string;
  readonly config: Awaited<ReturnType<EmbeddedCluster["listen"]>>["config"];
}

/** Creates a cluster with the Pod `p`, whose containers echo what they receive; commands in them run on this machine, in a folder. */
export async function clusterOfStreams(folder: string): Promise<EmbeddedCluster> {
  const cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.images.define("app:*", {
    run: async ({ ports, stdin, stdout, signal }) => {
      ports.listen(80, (connection) => connection.pipe(connection));
      stdin.on("data", (chunk: Buffer) => stdout.write(`got ${chunk.toString()}`));
      await once(signal, "abort");
    },
    exec: async (container) => {
      if (container.command[0] !== "size") return await runHere(container, folder);
      const { width, height } = await new Promise<{ readonly width: number; readonly height: number }>((resolve) => {
        container.onResize(resolve);
      });
      container.stdout.write(`${String(width)}x${String(height)}`);
      return 0;
    },
  });
  cluster.images.define("once:*", async ({ stdin, stdout, stderr }) => {
    const [input] = (await once(stdin, "data")) as [Buffer];
    stdout.write(`got ${input.toString()}`);
    stderr.write("oops");
  });
  await runPod(cluster, "p");
  return cluster;
}

/** Serves a cluster over HTTP, once its Pods run. */
export async function listenFor(cluster: EmbeddedCluster): Promise<Target> {
  const { config } = await cluster.listen({ tls: false });
  await cluster.server.idle();
  const token = config.credentials?.kind === "token" ? config.credentials.token : "";
  return { server: new URL(config.server), authorization: `Bearer ${token}`, config };
}

/** Upgrades a connection to SPDY for a stream of the Pod `p`. */
export async function upgraded(
  target: Target,
  operation: string,
  protocols: string,
): Promise<{ readonly socket: Socket; readonly head: string }> {
  const socket = connect(Number(target.server.port), target.server.hostname);
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/v1/namespaces/default/pods/p/${operation} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${target.authorization}\r\n` +
      `Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocols}\r\nContent-Length: 0\r\n\r\n`,
  );
  const [head] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return { socket, head: head.toString() };
}

/** Opens a session for a stream of the Pod `p`. */
export async function openSession(
  target: Target,
  operation: string,
  protocol: string,
): Promise<{ readonly session: SpdySession; readonly socket: Socket }> {
  const { socket } = await upgraded(target, operation, protocol);
  const session = new SpdySession(
    {
      chunks: () => socket,
      write: async (bytes) => {
        await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
      },
      close: () => void socket.end(),
    },
    { role: "client" },
  );
  return { session, socket };
}

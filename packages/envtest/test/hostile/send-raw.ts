import { connect } from "node:tls";

import type { RestConfig } from "@kubescaffold/k8s";

const DEADLINE_MS = 15_000;

/** Sends the text of a request, whose characters are bytes, over a new connection; returns all that came back until its end. */
export async function sendRaw(config: RestConfig, text: string): Promise<string> {
  const { port } = new URL(config.server);
  const { credentials, tls = {} } = config;
  const token = credentials?.kind === "token" ? credentials.token : "";
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: "127.0.0.1", port: Number(port), ca: tls.ca }, () => {
      socket.write(Buffer.from(text.replaceAll("TOKEN", token), "latin1"));
    });
    socket.setTimeout(DEADLINE_MS, () => socket.destroy());
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server may reset the connection after its answer.
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** Returns the codes of all answers on a connection, and `none` where there is none. */
export function statusesOf(answers: string): string {
  const codes = [...answers.matchAll(/HTTP\/1\.[01] (\d{3}) /gu)].map(([, code]) => code);
  return codes.length === 0 ? "none" : codes.join(",");
}

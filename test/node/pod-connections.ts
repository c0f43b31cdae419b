import { spawn } from "node:child_process";
import { once } from "node:events";
import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { nodeCluster } from "./node-project.ts";

/** Requests a URL without verifying the certificate of its server. */
export async function getText(
  url: string,
  token?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token.trim()}` };
  const get = url.startsWith("https:") ? getHttps : getHttp;
  const [response] = (await once(get(url, { headers, rejectUnauthorized: false }), "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
}

/** Forwards a local port to a Pod, until it is stopped. */
export async function forwardPort(
  namespace: string,
  target: string,
  port: number,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const { kubectl, kubeconfig, folder } = nodeCluster();
  const child = spawn(kubectl, ["port-forward", "--namespace", namespace, target, `:${String(port)}`], {
    cwd: folder,
    env: { ...process.env, KUBECONFIG: kubeconfig, HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    const local = /^Forwarding from (?<address>127\.0\.0\.1:\d+) /u.exec(line)?.groups?.["address"];
    if (local === undefined) continue;
    return {
      url: `http://${local}`,
      stop: async () => {
        child.kill("SIGTERM");
        await closed;
      },
    };
  }
  throw new Error(`kubectl port-forward ${target} ended`);
}

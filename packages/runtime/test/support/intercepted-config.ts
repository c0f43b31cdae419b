import type { RestConfig, Transport } from "@kubescaffold/k8s";
import { Agent, fetch as fetchThrough } from "undici";

/** Returns a config whose requests pass through a function, for servers in this process and for those behind sockets. */
export function interceptedConfig(
  config: RestConfig,
  intercept: (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>,
): RestConfig {
  const send = config.transport ?? socketTransport(config);
  return { ...config, transport: async (request: Request) => await intercept(request, send) };
}

function socketTransport({ tls = {} }: RestConfig): Transport {
  const { ca, cert, key } = tls;
  const dispatcher = new Agent({
    connect: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  });
  return async (request) => {
    const body = request.body === null ? undefined : await request.text();
    return await fetchThrough(request.url, {
      method: request.method,
      headers: [...request.headers],
      signal: request.signal,
      dispatcher,
      ...(body === undefined ? {} : { body }),
    });
  };
}

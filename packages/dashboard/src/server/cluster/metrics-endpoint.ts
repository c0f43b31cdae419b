import { connect as tlsConnect } from "node:tls";

import type { RestConfig } from "@kubescaffold/k8s";
import { createRestClient, type Logger, portForward, type PortForwarder, type RestClient } from "@kubescaffold/runtime";

import type { MetricsAddress } from "./metrics-address.ts";
import { exchangeWithPod } from "./pod-exchange.ts";

const TIMEOUT_MS = 10_000;

/** The Pod and port of an endpoint. */
export interface MetricsTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly address: MetricsAddress;
}

/** The metrics of a Pod, which are read through a forwarded port. The connection to the Pod stays open between reads. */
export class MetricsEndpoint {
  readonly #rest: RestClient;
  readonly #target: MetricsTarget;
  readonly #log: Logger;
  #forwarder: Promise<PortForwarder> | undefined;

  constructor(rest: RestClient, target: MetricsTarget, log: Logger) {
    this.#rest = rest;
    this.#target = target;
    this.#log = log;
  }

  /**
   * Reads the metrics as text.
   *
   * Fails: `StatusError` if the Pod or the API server refused it, `PortForwardError` if nothing listens on the port, `ConnectionError`.
   */
  async read(credentials: NonNullable<RestConfig["credentials"]> | undefined): Promise<string> {
    const { address, pod } = this.#target;
    const client = createRestClient(
      {
        server: `${address.isSecure ? "https" : "http"}://${pod}:${String(address.port)}`,
        // Only a server that asks for credentials gets them.
        ...(address.isSecure && credentials !== undefined ? { credentials } : {}),
        userAgent: "kubescaffold-dashboard",
        timeoutMs: TIMEOUT_MS,
        transport: async (request) => await this.#send(request),
      },
      { log: this.#log },
    );
    try {
      return await client.text({ method: "GET", path: "/metrics", accept: "text/plain;version=0.0.4" });
    } finally {
      await client.close();
    }
  }

  /** Closes the connection to the Pod. */
  async close(): Promise<void> {
    const forwarder = this.#forwarder;
    this.#forwarder = undefined;
    await (await forwarder?.catch(() => undefined))?.close();
  }

  async #send(request: Request): Promise<Response> {
    const { address } = this.#target;
    const forwarder = await this.#connected();
    const stream = await forwarder.connect(address.port);
    try {
      // A manager without a certificate has one of its own, so that there is nothing to verify; the API server and the kubelet choose the Pod.
      const socket = address.isSecure ? tlsConnect({ socket: stream, rejectUnauthorized: false }) : stream;
      return await exchangeWithPod(socket, request);
    } finally {
      stream.destroy();
    }
  }

  async #connected(): Promise<PortForwarder> {
    if (this.#forwarder !== undefined) return await this.#forwarder;
    const { namespace, pod: name } = this.#target;
    const opening = portForward(this.#rest, { namespace, name });
    this.#forwarder = opening;
    const forget = (): void => {
      if (this.#forwarder === opening) this.#forwarder = undefined;
    };
    opening.then((forwarder) => forwarder.done.then(forget, forget), forget);
    return await opening;
  }
}

import type { RestConfig } from "@kubescaffold/k8s";

import { createPoolSender } from "./pool-sender.ts";
import { createTransportSender } from "./transport-sender.ts";
import type { ClientCertificate, Sender } from "./wire.ts";

/**
 * Holds the connections of a config; they are made anew when the client certificate changes, since a connection
 * keeps the certificate it began with.
 */
export class SenderPool {
  readonly #config: RestConfig;
  #certificate: ClientCertificate | undefined;
  #sender: Sender | undefined;

  constructor(config: RestConfig) {
    this.#config = config;
  }

  /** Returns the sender whose connections show this certificate. */
  senderFor(certificate: ClientCertificate | undefined): Sender {
    if (this.#sender !== undefined && isSame(certificate, this.#certificate)) {
      return this.#sender;
    }
    // Requests under way on the old connections may finish; streams are opened anew.
    void this.#sender?.retire().catch(() => undefined);
    this.#certificate = certificate;
    this.#sender = createSender(this.#config, certificate);
    return this.#sender;
  }

  /** Closes all connections; a later request opens new ones. */
  async close(): Promise<void> {
    const sender = this.#sender;
    this.#sender = undefined;
    await sender?.close();
  }
}

function createSender(config: RestConfig, certificate: ClientCertificate | undefined): Sender {
  return config.transport === undefined
    ? createPoolSender(config, certificate)
    : createTransportSender(config.server.replace(/\/+$/u, ""), config.transport);
}

function isSame(left: ClientCertificate | undefined, right: ClientCertificate | undefined): boolean {
  return left?.cert === right?.cert && left?.key === right?.key;
}

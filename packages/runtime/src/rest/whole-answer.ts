import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";

import { type Abortable, onAbort } from "@kubescaffold/platform/clock";
import type { Dispatcher } from "undici";

import { AnswerTooLargeError } from "./errors.ts";
import { decodePieces } from "./json-lines.ts";
import { largestBody } from "./response-body.ts";
import type { WireHeaders, WireRequest, WireResponse } from "./wire.ts";

/**
 * Sends a request whose response is read as a whole, and resolves with its head.
 *
 * `Dispatcher.request` creates a stream for each response, which takes a tenth of the processor time of a short request.
 */
export async function sendForWholeAnswer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  request: Pick<WireRequest, "signal" | "beforeSend">,
): Promise<WireResponse> {
  return await new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new WholeAnswer(request, resolve, reject));
  });
}

/** Collects one response: undici calls the methods `on…` for its parts. */
class WholeAnswer implements WireResponse, Dispatcher.DispatchHandler {
  readonly #signal: Abortable;
  readonly #beforeSend: (() => void) | undefined;
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #pieces: Uint8Array[] = [];
  #size = 0;
  readonly #stopListening: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #headers: IncomingHttpHeaders = {};
  #isComplete = false;
  #failure: Error | undefined;
  // Settles the promise of a reader that waits for the end.
  #end: (() => void) | undefined;
  status = 0;

  constructor(
    { signal, beforeSend }: Pick<WireRequest, "signal" | "beforeSend">,
    resolve: (response: WireResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#signal = signal;
    this.#beforeSend = beforeSend;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#stopListening = onAbort(signal, () => this.#abort());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#abort();
    // undici fails the request with what this throws.
    else this.#beforeSend?.();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.#headers = headers;
    this.#resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#size += piece.byteLength;
    const limit = largestBody(this.status);
    if (this.#size > limit) controller.abort(new AnswerTooLargeError(limit));
    else this.#pieces.push(piece);
  }

  onResponseEnd(): void {
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#failure = error;
    this.#settle();
    // Without effect once the head has arrived.
    this.#reject(error);
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "string" ? value : value?.join(", ");
  }

  headers(): WireHeaders {
    return this.#headers as WireHeaders;
  }

  async text(): Promise<string> {
    return decodePieces(await this.#body());
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* await this.#body();
  }

  async discard(): Promise<void> {
    await this.#body();
  }

  async #body(): Promise<readonly Uint8Array[]> {
    if (!this.#isComplete) {
      await new Promise<void>((resolve) => {
        this.#end = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#headers["content-encoding"] !== "gzip") return this.#pieces;
    const { gunzip } = await import("node:zlib");
    const limit = largestBody(this.status);
    try {
      return [await promisify(gunzip)(Buffer.concat(this.#pieces), { maxOutputLength: limit })];
    } catch (error) {
      // Few bytes may become many.
      const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
      throw isTooLarge ? new AnswerTooLargeError(limit) : error;
    }
  }

  #settle(): void {
    this.#isComplete = true;
    this.#stopListening();
    this.#end?.();
  }

  #abort(): void {
    // A request without a controller waits for a connection, which may take long.
    if (this.#controller === undefined) this.#reject(this.#signal.reason as Error);
    else this.#controller.abort(this.#signal.reason as Error);
  }
}

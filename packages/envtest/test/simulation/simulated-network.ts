import type { PlainRequest, PlainResponse, RestConfig } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import { statusOf } from "../../src/chaos/failure-answers.ts";
import { Schedule } from "../../src/chaos/schedule.ts";
import type { ProcessNetwork } from "../chaos/operator/manager-process.ts";

/**
 * What the network does to a request or to an event of a watch. The last one, which loses an event, happens in no network and
 * only if it is listed: it shows that a simulation finds such defects.
 */
export type SimulatedFault = "refuse" | "lose" | "hang" | "429" | "500" | "503" | "break" | "end" | "drop";

/** A fault and its occasion, such as `a 17 lose`: the 17th request of process a. */
export type FaultEntry = `${string} ${string} ${SimulatedFault}`;

/** Options of a {@link SimulatedNetwork}. */
export interface SimulatedNetworkOptions {
  /** The process that sends the requests. */
  readonly name: string;
  readonly target: RestConfig;
  readonly clock: Clock;
  readonly seed: number;
  /** The probability of a fault at each request, and a third of it at each event. */
  readonly faultProbability: number;
  /** The faults to inject; undefined selects them by the seed. */
  readonly only: ReadonlySet<FaultEntry> | undefined;
  /** Receives one line for each request, event, and fault. */
  readonly trace: (line: string) => void;
}

const REQUEST_FAULTS: readonly SimulatedFault[] = ["refuse", "lose", "hang", "429", "500", "503"];
const EVENT_FAULTS: readonly SimulatedFault[] = ["break", "end"];
const LISTED_FAULTS: readonly SimulatedFault[] = ["drop"];
const LONGEST_DELAY_MS = 40;
// One request in fifty is this much slower, so that others overtake it.
const SLOW_DELAY_MS = 4000;

/**
 * A network between one process and a server in this one, whose delays and faults a seed selects.
 *
 * Guarantees: what happens to a request depends on the seed and on its number only; events of a watch keep their order.
 */
export class SimulatedNetwork implements ProcessNetwork {
  readonly restConfig: RestConfig;
  readonly clock: Clock;
  /** The faults that were injected. */
  readonly injected: FaultEntry[] = [];
  readonly #options: SimulatedNetworkOptions;
  readonly #schedule: Schedule;
  #requests = 0;
  #isPaused = false;
  #isHealed = false;
  #isCutOff = false;
  readonly #broken = new Set<() => void>();

  constructor(options: SimulatedNetworkOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.#schedule = new Schedule(options.seed, {});
    const transport = Object.assign(() => onlyPlain(), { exchange: this.#exchange.bind(this) });
    this.restConfig = { ...options.target, transport };
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  async heal(): Promise<void> {
    this.#isHealed = true;
    this.connect();
    await Promise.resolve();
  }

  /** Lets requests hang, and watches send nothing, until {@link SimulatedNetwork.connect}. */
  cutOff(): void {
    this.#isCutOff = true;
  }

  /** Ends {@link SimulatedNetwork.cutOff}; all that hung breaks. */
  connect(): void {
    this.#isCutOff = false;
    for (const end of this.#broken) end();
  }

  async #exchange(request: PlainRequest): Promise<PlainResponse> {
    this.#requests += 1;
    const occasion = String(this.#requests);
    const random = this.#schedule.randomOf(`${this.#options.name} ${occasion}`);
    // The names of events count the events of all runs.
    const path = request.path.replace(/(?<=\/events\/[^/?]+)\.[\da-f]+(?=$|\?)/u, "");
    const line = `${this.#options.name} ${occasion} ${request.method} ${path}`;
    const fault = this.#select(occasion, REQUEST_FAULTS, random, this.#options.faultProbability);
    this.#options.trace(fault === undefined ? line : `${line}: ${fault}`);
    await this.#delay(random);
    if (this.#isCutOff || fault === "hang") await this.#untilBroken(request.signal);
    if (fault === "refuse") throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    if (fault === "429" || fault === "500" || fault === "503") return failure(fault);
    const response = await this.#target(request);
    await this.#delay(random);
    this.#options.trace(`${this.#options.name} ${occasion}: ${String(response.status)}`);
    if (this.#isCutOff) await this.#untilBroken(request.signal);
    if (fault === "lose") throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
    return typeof response.body === "object" && Symbol.asyncIterator in response.body
      ? { ...response, body: this.#watched(response.body, occasion, random) }
      : response;
  }

  async #target(request: PlainRequest): Promise<PlainResponse> {
    const exchange = this.#options.target.transport?.exchange;
    if (exchange === undefined) throw new TypeError("the target is not in this process");
    return await exchange(request);
  }

  #select(
    occasion: string,
    faults: readonly SimulatedFault[],
    random: () => number,
    probability: number,
  ): SimulatedFault | undefined {
    const [chance, choice] = [random(), random()];
    const { name, only } = this.#options;
    if (only === undefined && (this.#isPaused || this.#isHealed)) return undefined;
    const chosen = faults[Math.floor(choice * faults.length)];
    const fault =
      only === undefined
        ? chance < probability
          ? chosen
          : undefined
        : [...faults, ...LISTED_FAULTS].find((each) => only.has(`${name} ${occasion} ${each}`));
    if (fault !== undefined) this.injected.push(`${name} ${occasion} ${fault}`);
    return fault;
  }

  async #delay(random: () => number): Promise<void> {
    const [speed, length] = [random(), random()];
    const longest = speed < 0.02 && !this.#isHealed ? SLOW_DELAY_MS : LONGEST_DELAY_MS;
    await new Promise<void>((resolve) => {
      this.clock.setTimeout(resolve, Math.floor(length * longest));
    });
  }

  async #untilBroken(signal: AbortSignal | undefined): Promise<never> {
    return await new Promise<never>((_, reject) => {
      const end = (): void => {
        this.#broken.delete(end);
        reject(new TypeError("fetch failed", { cause: new Error("read ETIMEDOUT") }));
      };
      this.#broken.add(end);
      signal?.addEventListener("abort", end, { once: true });
    });
  }

  // Passes the events of a watch on, each after a delay, until one breaks or ends it.
  async *#watched(
    body: AsyncIterable<Uint8Array>,
    occasion: string,
    random: () => number,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = body[Symbol.asyncIterator]();
    try {
      for (let events = 1; ; events += 1) {
        const next = await reader.next();
        await this.#delay(random);
        if (this.#isCutOff) {
          await reader.return?.();
          await this.#untilBroken(undefined);
        }
        const place = `${occasion}.${String(events)}`;
        const fault = this.#select(place, EVENT_FAULTS, random, this.#options.faultProbability / 3);
        this.#options.trace(`${this.#options.name} ${place}: ${fault ?? (next.done === true ? "ended" : "event")}`);
        if (fault === "break") throw new TypeError("terminated");
        if (fault === "end" || next.done === true) return;
        if (fault !== "drop") yield next.value;
      }
    } finally {
      await reader.return?.();
    }
  }
}

// The managers of a simulation use the runtime's clients, which send plain requests.
function onlyPlain(): Promise<Response> {
  return Promise.reject(new TypeError("the simulated network takes plain requests"));
}

const ANSWERS = { "429": "tooManyRequests", "500": "internalError", "503": "unavailable" } as const;

function failure(fault: keyof typeof ANSWERS): PlainResponse {
  const headers = { "content-type": "application/json", ...(fault === "429" ? { "retry-after": "1" } : {}) };
  return { status: Number(fault), headers, body: JSON.stringify(statusOf(ANSWERS[fault])) };
}

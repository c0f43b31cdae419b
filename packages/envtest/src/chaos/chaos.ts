import { randomInt } from "node:crypto";

import { checkNumbers } from "@kubescaffold/k8s";
import type { RestConfig } from "@kubescaffold/k8s";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import { ChaosClock } from "./chaos-clock.ts";
import type { ChaosReport } from "./fault-log.ts";
import { checkFault, checkProbabilities, type FaultProbabilities, TYPICAL_FAULTS } from "./faults.ts";
import { Forwarder } from "./forwarder.ts";
import { Held } from "./held.ts";
import { type ChaosLimits, Injector } from "./injector.ts";
import { ProxyListener } from "./proxy-listener.ts";
import type { ChaosMatch } from "./request-target.ts";
import type { ChaosScript, ScriptedFault } from "./script.ts";
import { createUpstream, type Upstream } from "./upstream.ts";

/** Options of {@link startChaos}. */
export interface ChaosOptions {
  /** The API server: the config of an environment, or of a real cluster. Its credentials stay in {@link Chaos.restConfig}. */
  readonly target: RestConfig;
  /** Selects the faults; the same seed and requests lead to the same faults. Default: a random number. */
  readonly seed?: number;
  /** The probability of each fault. Default: {@link TYPICAL_FAULTS}; `{}` injects only scripts. */
  readonly faults?: FaultProbabilities;
  /** The requests that the seed selects faults for. Default: all. */
  readonly match?: ChaosMatch;
  /** Allows faults that no API server causes, such as reordered events. Default: false. */
  readonly illegal?: boolean;
  /** Serves HTTPS, with its own certificate authority. Default: true unless the target uses HTTP or is in this process. */
  readonly tls?: boolean;
  /** The clock of {@link Chaos.clock} and of delays. Default: the system clock. */
  readonly clock?: Clock;
  /** The factor by which durations pass faster on {@link Chaos.clock}, so that a backoff of 30 s takes 1.5 s with 20. Default: 1. */
  readonly speed?: number;
  /** Limits of what the seed selects. */
  readonly limits?: Partial<ChaosLimits>;
}

/**
 * A proxy in front of an API server that injects faults between it and its clients.
 *
 * Guarantees: each fault is counted in {@link Chaos.report}; after {@link Chaos.heal} requests and watches pass unchanged.
 */
export interface Chaos {
  /** The seed, which reproduces the faults. */
  readonly seed: number;
  /** The config of the proxy, with the credentials of the target. */
  readonly restConfig: RestConfig;
  /** A clock for managers under test: passes faster with `speed`, and jumps with the fault `jumpClock`. */
  readonly clock: Clock;
  /** Injects planned faults, in addition to those of the seed, and even while the seed is paused. Fails: `ChaosOptionsError`. */
  script(faults: readonly ScriptedFault[]): ChaosScript;
  /** Stops injecting faults of the seed; requests that are held back stay so. */
  pause(): void;
  /** Continues to inject faults of the seed, after {@link Chaos.pause} or {@link Chaos.heal}. */
  resume(): void;
  /** Ends all faults: pauses the seed, cancels scripts, completes delays, closes connections that hang, and corrects the clock and the certificate. */
  heal(): Promise<void>;
  /** Closes all connections, including those of watches. */
  closeConnections(): void;
  /** Replaces the serving certificate and closes all connections; clients do not trust a certificate of a foreign authority. Fails: `ChaosOptionsError` with HTTP. */
  rotateCertificate(options?: { readonly isTrusted?: boolean }): Promise<void>;
  /** Moves the wall-clock time of {@link Chaos.clock} by a number of milliseconds, which may be negative. */
  jumpClock(byMs: number): void;
  /** Returns the number of requests and faults so far. */
  report(): ChaosReport;
  /** Closes all connections and stops listening; a second stop does nothing. */
  stop(): Promise<void>;
}

const DEFAULT_LIMITS: ChaosLimits = { delayMs: 1000, jumpMs: 600_000 };

/**
 * Starts a proxy that injects faults into the requests to an API server, selected by a seed or by scripts.
 *
 * Guarantees: whether a request has a fault depends on the seed, the method, the path, and the number of such requests before it, not on time.
 * Fails: `ChaosOptionsError`.
 *
 * @example
 * const chaos = await startChaos({ target: await environment.start(), seed: 7 });
 * const mgr = await createManager(chaos.restConfig, { clock: chaos.clock });
 */
export async function startChaos(options: ChaosOptions): Promise<Chaos> {
  const { target, faults = TYPICAL_FAULTS, illegal = false } = options;
  const tls = options.tls ?? (target.transport === undefined && target.server.startsWith("https:"));
  checkNumbers("the chaos", options, { seed: "integer", speed: "interval" });
  checkProbabilities(faults, { illegal, tls });
  const upstream = createUpstream(target);
  const seed = options.seed ?? randomInt(2 ** 31);
  const injector = new Injector({
    seed,
    probabilities: faults,
    match: options.match ?? {},
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  });
  const clock = new ChaosClock(options.clock ?? realClock, options.speed ?? 1);
  return await RunningChaos.start({ target, seed, allowed: { illegal, tls }, upstream, injector, clock });
}

interface ChaosParts {
  readonly target: RestConfig;
  readonly seed: number;
  readonly allowed: { readonly illegal: boolean; readonly tls: boolean };
  readonly upstream: Upstream;
  readonly injector: Injector;
  readonly clock: ChaosClock;
}

class RunningChaos implements Chaos {
  readonly seed: number;
  readonly clock: ChaosClock;
  readonly restConfig: RestConfig;
  readonly #parts: ChaosParts;
  readonly #listener: ProxyListener;
  readonly #held: Held;
  readonly #exchanges: ReadonlySet<Promise<void>>;
  #isCertificateForeign = false;
  #stopped: Promise<void> | undefined;

  private constructor(
    parts: ChaosParts,
    running: { listener: ProxyListener; held: Held; exchanges: Set<Promise<void>> },
  ) {
    this.seed = parts.seed;
    this.clock = parts.clock;
    this.#parts = parts;
    this.#listener = running.listener;
    this.#held = running.held;
    this.#exchanges = running.exchanges;
    this.restConfig = proxiedConfig(parts.target, running.listener);
  }

  static async start(parts: ChaosParts): Promise<RunningChaos> {
    const held = new Held(parts.clock);
    const exchanges = new Set<Promise<void>>();
    const forwarder = new Forwarder({
      upstream: parts.upstream,
      injector: parts.injector,
      held,
      rotateCertificate: async () => await listener.rotateCertificate({ isTrusted: true }),
      jumpClock: (byMs) => parts.clock.jump(byMs),
    });
    const listener = await ProxyListener.start({
      tls: parts.allowed.tls,
      handler: (message, response) => {
        const exchange = forwarder.handle(message, response).finally(() => exchanges.delete(exchange));
        exchanges.add(exchange);
      },
    });
    return new RunningChaos(parts, { listener, held, exchanges });
  }

  script(faults: readonly ScriptedFault[]): ChaosScript {
    for (const { fault } of faults) checkFault(fault, this.#parts.allowed);
    return this.#parts.injector.scripts.add(faults);
  }

  pause(): void {
    this.#parts.injector.isPaused = true;
  }

  resume(): void {
    this.#parts.injector.isPaused = false;
  }

  async heal(): Promise<void> {
    this.pause();
    this.#parts.injector.scripts.clear();
    this.clock.correct();
    this.#held.releaseAll();
    if (this.#isCertificateForeign) await this.rotateCertificate();
  }

  closeConnections(): void {
    this.#listener.closeConnections();
  }

  async rotateCertificate({ isTrusted = true }: { readonly isTrusted?: boolean } = {}): Promise<void> {
    checkFault("rotateCertificate", this.#parts.allowed);
    this.#isCertificateForeign = !isTrusted;
    await this.#listener.rotateCertificate({ isTrusted });
  }

  jumpClock(byMs: number): void {
    this.clock.jump(byMs);
  }

  report(): ChaosReport {
    return this.#parts.injector.log.report(this.seed);
  }

  async stop(): Promise<void> {
    await (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.pause();
    this.#parts.injector.scripts.clear();
    this.#held.releaseAll();
    await this.#listener.stop();
    await Promise.all(this.#exchanges);
    this.#parts.upstream.close();
  }
}

// The proxy presents the client certificate of the target itself.
function proxiedConfig(target: RestConfig, listener: ProxyListener): RestConfig {
  const { transport: _transport, connect: _connect, tls: _tls, ...config } = target;
  return { ...config, server: listener.url, ...(listener.ca === undefined ? {} : { tls: { ca: listener.ca } }) };
}

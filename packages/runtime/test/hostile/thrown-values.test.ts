import { defineKind, isInstance, type Kind } from "@kubescaffold/k8s";
import type { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { THROWN_VALUES } from "../../../k8s/test/failures/thrown-values.ts";
import { createListWatch } from "../../src/cache/list-watch.ts";
import { SharedInformer, type SharedInformerOptions } from "../../src/cache/shared-informer.ts";
import { funcs } from "../../src/handler/event-handler.ts";
import { enqueueRequestsFromMapFunc } from "../../src/handler/handler.ts";
import { healthHandler } from "../../src/healthz/health-handler.ts";
import {
  createLogger,
  createRecordingLogger,
  type LogRecord,
  type LogSink,
  silentLogger,
} from "../../src/log/logger.ts";
import { createPinoLogger } from "../../src/log/pino-logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { guardedObserver } from "../../src/observe/guarded-observer.ts";
import { ofObject } from "../../src/predicate/predicate.ts";
import { isProgrammingError } from "../../src/reconcile/programming-error.ts";
import { isTerminalError, type ReconcileFunction, TerminalError } from "../../src/reconcile/reconcile.ts";
import { toConnectionError } from "../../src/rest/errors.ts";
import { exceptionOf } from "../../src/tracing/exceptions.ts";
import { defaulterHandler, validatorHandler } from "../../src/webhook/admission/admission-handlers.ts";
import { admissionWebhook } from "../../src/webhook/admission/admission-webhook.ts";
import { authenticationWebhook } from "../../src/webhook/authentication/authentication-webhook.ts";
import { ConversionRegistry } from "../../src/webhook/conversion-registry.ts";
import { conversionWebhook } from "../../src/webhook/conversion/conversion-webhook.ts";
import { type ControllerOnServerSettings, EVENT } from "../support/controller-on-server.ts";
import { FakeServer, Widget, widget } from "../support/fake-server.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const VALUES = Object.entries(THROWN_VALUES);
const server = serverForTests();

// Throws the value that an object is for; its name is `v-` with the index of the value.
function throwFor(name: string | undefined): void {
  const index = /^v-(\d+)$/u.exec(name ?? "")?.[1];
  if (index !== undefined) throw VALUES[Number(index)]?.[1]();
}

const ownLogger = createRecordingLogger();

interface Place {
  readonly reconciler?: ReconcileFunction;
  readonly settings?: ControllerOnServerSettings;
}

const CONTROLLERS: Readonly<Record<string, Place>> = {
  "a reconciler": { reconciler: async ({ name }) => throwFor(name) },
  "a reconciler without a promise": {
    reconciler: ({ name }) => {
      throwFor(name);
      return Promise.resolve();
    },
  },
  "a reconciler that fails for good": {
    reconciler: async ({ name }) => {
      try {
        throwFor(name);
      } catch (error) {
        throw new TerminalError(error);
      }
    },
  },
  "a predicate": { settings: { predicates: [ofObject(({ metadata }) => throwFor(metadata.name) === undefined)] } },
  "a map function": {
    settings: {
      handler: enqueueRequestsFromMapFunc(({ metadata: { name, namespace } }) => {
        throwFor(name);
        return [{ name, namespace }];
      }),
    },
  },
  "an asynchronous map function": {
    settings: {
      handler: enqueueRequestsFromMapFunc(async ({ metadata: { name, namespace } }) => {
        throwFor(name);
        return [{ name, namespace }];
      }),
    },
  },
  "an event handler": {
    settings: {
      handler: funcs<ConfigMap>({
        create: ({ object: { metadata } }, { queue }) => {
          throwFor(metadata.name);
          queue.add({ name: metadata.name, namespace: metadata.namespace ?? "" });
        },
      }),
    },
  },
  "a function for loggers": {
    reconciler: async (_, { log }) => log.info("reconciling"),
    settings: {
      otherKinds: [],
      options: {
        logConstructor: (request) => {
          throwFor(request?.name);
          return ownLogger;
        },
      },
    },
  },
};

describe("guarantee 27: a controller goes on", () => {
  it.each(Object.entries(CONTROLLERS))("whatever is thrown by %s", async (_, { reconciler, settings }) => {
    const reconciled = new Set<string>();
    const { running, logger, clock } = await server.start(async (request, context) => {
      reconciled.add(request.name);
      return await reconciler?.(request, context);
    }, settings);
    let hasEnded = false;
    void running.finally(() => (hasEnded = true)).catch(() => undefined);
    await server.on.writeAll(VALUES.map((_each, index) => `v-${String(index)}`));
    await server.on.write("last");
    await expect.poll(() => reconciled.has("last"), EVENT).toBe(true);
    const records = (): readonly LogRecord[] => [...logger.records, ...ownLogger.records];
    const failures = (): number => records().filter(({ severity }) => severity === "error").length;
    await expect.poll(failures, EVENT).toBeGreaterThanOrEqual(VALUES.length);
    await clock.advance(1000);
    await server.on.write("after");
    await expect.poll(() => reconciled.has("after"), EVENT).toBe(true);
    expect(hasEnded).toBe(false);
  });
});

function createInformer(fake: FakeServer, more: Partial<SharedInformerOptions<Widget>>) {
  const log = createRecordingLogger();
  const stop = new AbortController();
  const informer = new SharedInformer<Widget>({
    kind: Widget,
    listWatch: createListWatch(fake.client(), Widget, {}),
    clock: new FakeClock(),
    log,
    registry: createMetricsRegistry(),
    resyncPeriodMs: 0,
    ...more,
  });
  return { log, informer, stop };
}

describe("guarantee 27: a cache goes on", () => {
  const THROWING: Readonly<Record<string, (informer: SharedInformer<Widget>) => void>> = {
    "an index function": (informer) =>
      informer.addIndexers({ failing: ({ metadata }) => [String(throwFor(metadata.name))] }),
    "a handler of events": (informer) =>
      void informer.addEventHandler({
        onAdd: ({ metadata }) => throwFor(metadata.name),
        onUpdate: () => undefined,
        onDelete: () => undefined,
      }),
    "an asynchronous handler of events": (informer) =>
      void informer.addEventHandler({
        onAdd: async ({ metadata }) => throwFor(metadata.name),
        onUpdate: () => undefined,
        onDelete: () => undefined,
      }),
    "a transformation": () => undefined,
  };

  it.each(Object.entries(THROWING))("whatever is thrown by %s", async (place, add) => {
    const fake = new FakeServer();
    const transform = (object: KubernetesObject): KubernetesObject => {
      throwFor(object.metadata.name);
      return object;
    };
    const { log, informer, stop } = createInformer(fake, place === "a transformation" ? { transform } : {});
    add(informer);
    const running = informer.run(stop.signal);
    await informer.waitForSync();
    for (const index of VALUES.keys()) fake.put(widget(`v-${String(index)}`));
    fake.put(widget("last"));
    await expect.poll(() => informer.lister.get({ namespace: "default", name: "last" })).toBeDefined();
    const failures = (): number => log.records.filter(({ severity }) => severity === "error").length;
    await expect.poll(failures).toBe(VALUES.length);
    stop.abort();
    await running;
  });
});

interface Site extends KubernetesObject {
  spec: { address: string };
}
const Site: Kind<Site> = defineKind<Site>({ group: "test.example.com", version: "v1" }, "Site");
const SiteV2: Kind<Site> = defineKind<Site>({ group: "test.example.com", version: "v2" }, "Site");
const site = Site.create({ metadata: { name: "s" }, spec: { address: "x" } });

async function call(handler: (request: Request) => Promise<Response>, body: object): Promise<Record<string, unknown>> {
  const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await handler(new Request("https://localhost/x", init));
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

describe.each(VALUES)("guarantee 27: %s", (_, create) => {
  const fail = (): never => {
    throw create();
  };
  const rejected = async (): Promise<never> => fail();

  it("is a denial of an admission webhook", async () => {
    const rest = { validateUpdate: () => undefined, validateDelete: () => undefined };
    const handlers = [
      defaulterHandler<Site>({ default: fail }),
      defaulterHandler<Site>({ default: rejected }),
      validatorHandler<Site>({ validateCreate: fail, ...rest }),
      validatorHandler<Site>({ validateCreate: rejected, ...rest }),
      rejected,
    ];
    for (const handler of handlers) {
      const request = { uid: "u-1", operation: "CREATE", object: site };
      const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
      const { response } = await call(admissionWebhook({ handler, log: silentLogger }), review);
      expect(response).toMatchObject({ uid: "u-1", allowed: false });
    }
  });

  it("does not keep an admission webhook from its decision if its logger cannot be created", async () => {
    const request = { uid: "u-1", operation: "CREATE", object: site };
    const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const handler = defaulterHandler<Site>({ default: () => undefined });
    const { response } = await call(admissionWebhook({ handler, log: silentLogger, logConstructor: fail }), review);
    expect(response).toMatchObject({ uid: "u-1", allowed: true });
  });

  it("is a failed conversion", async () => {
    const registry = new ConversionRegistry();
    registry.register(Site, [{ spoke: SiteV2, convertTo: fail, convertFrom: fail }]);
    const request = { uid: "u-1", desiredAPIVersion: "test.example.com/v2", objects: [site] };
    const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request };
    const { response } = await call(conversionWebhook({ registry, log: silentLogger }), review);
    expect(response).toMatchObject({ uid: "u-1", result: { status: "Failure" } });
  });

  it("authenticates nobody", async () => {
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "t" } };
    const { status } = await call(authenticationWebhook({ handler: rejected, log: silentLogger }), review);
    expect(status).not.toMatchObject({ authenticated: true });
    expect(status).toHaveProperty("error");
  });

  it("is a failed health check", async () => {
    const log = createRecordingLogger();
    const handler = healthHandler({ path: "/healthz", checks: new Map([["own", fail]]), log });
    expect((await handler(new Request("http://localhost/healthz"))).status).toBe(500);
    expect((await handler(new Request("http://localhost/healthz/own"))).status).toBe(500);
    expect(log.records.map(({ message }) => message)).toContain("a health check failed");
  });

  it("stops the manager in order if a runnable throws it", async () => {
    const events: string[] = [];
    const manager = await createManager(server.config, {
      logger: silentLogger,
      metrics: { bindAddress: "0" },
      leaderElection: false,
    });
    manager.add(async (signal) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
      events.push("the other runnable has ended");
    });
    const thrown = create();
    manager.add(async () => {
      throw thrown;
    });
    const end = await manager.start(new AbortController().signal).then(
      () => events.push("started"),
      (error: unknown) => events.push(error === thrown ? "rejected with it" : "rejected with another error"),
    );
    expect(end).toBe(2);
    expect(events).toEqual(["the other runnable has ended", "rejected with it"]);
  });

  it("is ignored if an observer throws it", () => {
    const observer = guardedObserver({ observe: fail });
    expect(() => observer?.observe({ kind: "reconcile-started" } as never)).not.toThrow();
  });

  it("is logged, as an error, as a field, and if the sink throws it", () => {
    const lines: string[] = [];
    const destination = { write: (line: string): void => void lines.push(line) };
    for (const encoder of ["json", "console"] as const) {
      const log = createPinoLogger({ destination, encoder });
      log.error(create(), "as an error");
      log.info("as a field", { field: create(), nested: { field: create() } });
      log.withValues({ field: create() }).error(new Error("x"), "as a value");
      const fields = Object.defineProperty({}, "field", { get: fail, enumerable: true });
      log.info("as a getter", fields);
      log.withValues(fields).info("as a value with a getter");
    }
    expect(lines).toHaveLength(10);
    const sink: LogSink = { isEnabled: fail, write: fail };
    const failing = createLogger(sink);
    expect(() => {
      failing.info("x");
      failing.error(create(), "x");
    }).not.toThrow();
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(100_000);
  });

  it("is classified, traced, and reported as an error of a connection", () => {
    expect(isTerminalError(create())).toBe(false);
    expect(isTerminalError(new TerminalError(create()))).toBe(true);
    expect(typeof isProgrammingError(create())).toBe("boolean");
    expect(typeof exceptionOf(create()).exception.message).toBe("string");
    expect(isInstance(toConnectionError(create(), "https://localhost"), Error)).toBe(true);
  });
});

import { Environment, type EnvironmentOptions } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

import type { ReconcileFunction } from "../../src/reconcile/reconcile.ts";
import {
  type ControllerOnServer,
  type ControllerOnServerSettings,
  createNamespace,
  type ServerNamespace,
  startController,
} from "./controller-on-server.ts";

/** The server of a test file, which has a new namespace for each test. */
export interface ServerForTests {
  /** The administrator's config. */
  readonly config: RestConfig;
  /** The namespace of the current test. */
  readonly on: ServerNamespace;
  /** Starts a controller in the namespace, which stops after the test. */
  readonly start: (reconciler: ReconcileFunction, settings?: ControllerOnServerSettings) => Promise<ControllerOnServer>;
}

/** Starts a server before the tests of a file, and stops it after them. */
export function serverForTests(options?: EnvironmentOptions): ServerForTests {
  const environment = new Environment(options);
  const started: ControllerOnServer[] = [];
  let config: RestConfig | undefined;
  let on: ServerNamespace | undefined;
  beforeAll(async () => {
    config = await environment.start();
  });
  beforeEach(async () => {
    on = await createNamespace(running(config));
  });
  afterEach(() => {
    for (const controller of started.splice(0)) controller.stop();
  });
  afterAll(() => environment.stop());
  return {
    get config() {
      return running(config);
    },
    get on() {
      return running(on);
    },
    start: async (reconciler, settings) => {
      const controller = await startController(running(on), reconciler, settings);
      started.push(controller);
      return controller;
    },
  };
}

function running<T>(part: T | undefined): T {
  if (part === undefined) throw new TypeError("the server starts before the first test");
  return part;
}

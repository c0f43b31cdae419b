import type { DeepReadonly, RestConfig } from "@kubescaffold/k8s";
import { configMapApply } from "@kubescaffold/k8s/apply/core/v1";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { describe, expect, expectTypeOf, it } from "vitest";

import { type ControllerBuilder, newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { Stored } from "../../src/client/partial-object.ts";
import { dependent, type Dependents } from "../../src/dependents/dependent.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { Site } from "./sample-owner.ts";

async function offlineManager(): Promise<Manager> {
  const config: RestConfig = {
    server: "https://fake",
    transport: async () => await Promise.reject(new TypeError("none")),
  };
  const metrics = { bindAddress: "0", registry: createMetricsRegistry() };
  return await createManager(config, { logger: createRecordingLogger(), metrics });
}

const config = dependent(ConfigMap, { desired: () => ({}) });

describe("a builder of a controller with dependents", () => {
  it("passes the types of the owner, of the dependents, and of the status on", async () => {
    const manager = await offlineManager();
    const builder = newControllerManagedBy(manager)
      .for(Site)
      .dependents({
        config: dependent(ConfigMap, {
          desired: (owner) => {
            expectTypeOf(owner).toEqualTypeOf<DeepReadonly<Stored<Site>>>();
            return { data: { color: owner.spec.color ?? "" } };
          },
        }),
        deployment: dependent(Deployment, {
          dependsOn: ["config"],
          reconcileWhen: ({ spec }) => spec.replicas !== undefined,
          desired: (_, context) => {
            expectTypeOf(context.get(ConfigMap, "config")).toEqualTypeOf<DeepReadonly<Stored<ConfigMap>> | undefined>();
            return Deployment.create({ metadata: { name: "one" } });
          },
          ready: (deployment) => (deployment.status?.availableReplicas ?? 0) > 0,
        }),
        applied: dependent(ConfigMap, {
          desired: ({ metadata: { name, namespace = "" } }) => configMapApply(name, namespace, { data: { a: "b" } }),
        }),
      });
    type Options = NonNullable<Parameters<typeof builder.build>[0]>;
    const options: Options = {
      status: (owner, { config: { state }, deployment: { object } }) => {
        expectTypeOf(owner).toEqualTypeOf<DeepReadonly<Stored<Site>>>();
        expectTypeOf(object).toEqualTypeOf<DeepReadonly<Stored<Deployment>> | undefined>();
        expectTypeOf(state).toEqualTypeOf<"ready" | "notReady" | "waiting" | "notDesired">();
        return { available: object?.status?.availableReplicas ?? 0 };
      },
    };
    expect(options).toHaveProperty("status");
  });

  it("refuses fields of other types", async () => {
    const builder: ControllerBuilder = newControllerManagedBy(await offlineManager()).for(Site);
    builder.named("other").dependents({
      // @ts-expect-error -- the values are strings
      a: dependent(ConfigMap, { desired: () => ({ data: { count: 1 } }) }),
      // @ts-expect-error -- a field of a Deployment
      b: dependent(Deployment, { desired: () => ({ spec: { replica: 1 } }) }),
      // @ts-expect-error -- the owner has no such field
      c: dependent(ConfigMap, { desired: ({ spec }: DeepReadonly<Stored<Site>>) => ({ data: { size: spec.size } }) }),
    });
    const described = newControllerManagedBy(await offlineManager())
      .for(Site)
      .dependents({ config });
    // @ts-expect-error -- the status has no such field
    const build = async () => await described.build({ status: () => ({ size: 1 }) });
    expect(build).toBeTypeOf("function");
  });

  it("refuses cycles, unknown names, and a missing kind when it is built", async () => {
    const build = async (dependents: Dependents<Site>): Promise<unknown> =>
      await newControllerManagedBy(await offlineManager())
        .for(Site)
        .dependents(dependents)
        .build()
        .catch((error: unknown) => error);
    const [cyclic, lost] = [["config"], ["other"]].map((dependsOn) => ({ ...config, dependsOn }));
    expect(await build({ config: cyclic ?? config })).toMatchObject({ code: "CONTROLLER_DEPENDENT_CYCLE" });
    expect(await build({ config: lost ?? config })).toMatchObject({ code: "CONTROLLER_DEPENDENT_NAME" });
    const withoutKind = newControllerManagedBy(await offlineManager()).named("nameless");
    await expect(withoutKind.dependents({ config }).complete()).rejects.toThrow("dependents() needs for()");
    const withReconciler = newControllerManagedBy(await offlineManager())
      .for(Site)
      .withOptions({ reconciler: async () => undefined });
    await expect(withReconciler.dependents({ config }).complete()).rejects.toMatchObject({
      code: "CONTROLLER_BUILDER_MISUSE",
    });
  });
});

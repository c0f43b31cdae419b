import { defineKind, parseLosslessJson, printLosslessJson, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { realClock } from "@kubescaffold/platform/clock";
import { deepEqual } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createClient } from "../../src/client/create-client.ts";
import { editable } from "../../src/client/editable.ts";
import { mergeFrom } from "../../src/client/patch.ts";
import * as semantic from "../../src/client/semantic.ts";
import { createUnmanagedController } from "../../src/controller/controller.ts";
import { createOrUpdate } from "../../src/controllerutil/controllerutil.ts";
import { enqueueRequestForObject } from "../../src/handler/event-handler.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Request } from "../../src/reconcile/reconcile.ts";
import { kind } from "../../src/source/source.ts";
import { EVENT } from "../support/controller-on-server.ts";
import { LARGE_VALUES, serverOf, widgetText } from "./large-objects.ts";

interface Widget extends KubernetesObject {
  spec: { value: unknown };
}
const Widget: Kind<Widget> = defineKind<Widget>({ group: "demo", version: "v1" }, "Widget");

describe("an object that an API server stores", () => {
  it.each(Object.entries(LARGE_VALUES))(
    "with %s is listed, watched, cached, and reconciled, and so are others",
    async (_, value) => {
      const [large, later] = [widgetText("large", value), widgetText("later", value)];
      const listed = [widgetText("first", "1"), large, widgetText("last", "1")];
      const { transport } = serverOf({ listed, watched: [later, widgetText("end", "1")] });
      const logger = createRecordingLogger();
      const client = createClient({ server: "http://fake", transport }, { log: logger });
      const registry = createMetricsRegistry();
      const cache = createCache(client, { logger, registry });
      const reconciled = new Set<string>();
      const reconciler = async ({ name }: Request): Promise<void> => {
        const widget = await cache.get(Widget, { namespace: "default", name });
        // An edited copy, as reconcilers make it.
        const copy = editable(widget);
        expect(copy.spec === widget.spec).toBe(false);
        expect(semantic.deepEqual(copy, widget)).toBe(true);
        reconciled.add(name);
      };
      const controller = createUnmanagedController("hostile", { clock: realClock, registry, logger }, { reconciler });
      await controller.watch(kind({ cache, kind: Widget, handler: enqueueRequestForObject<Widget>() }));
      const stop = new AbortController();
      void cache.start(stop.signal);
      const running = controller.start(stop.signal);
      await expect.poll(() => [...reconciled].toSorted(), EVENT).toEqual(["end", "first", "large", "last", "later"]);
      const cached = await cache.get(Widget, { namespace: "default", name: "later" });
      expect(printLosslessJson(cached) === later).toBe(true);
      stop.abort();
      await running;
      expect(logger.records.filter(({ severity }) => severity === "error")).toEqual([]);
    },
  );

  it.each(Object.entries(LARGE_VALUES))(
    "with %s is read, and written with create, update, patch, and apply",
    async (_, value) => {
      const text = widgetText("large", value);
      const { transport, written } = serverOf({ listed: [text] });
      const client = createClient({ server: "http://fake", transport });
      const widget = await client.get(Widget, { namespace: "default", name: "large" });
      expect(printLosslessJson(widget) === text).toBe(true);
      await client.update(widget);
      expect(written.pop() === text).toBe(true);
      await client.create(Widget.create({ metadata: { name: "new", namespace: "default" }, spec: widget.spec }));
      expect(written.pop()?.includes(`"spec":{"value":${value}}`)).toBe(true);
      const labeled = editable(widget);
      labeled.metadata.labels = { a: "b" };
      await client.patch(labeled, mergeFrom(widget));
      expect(written.pop()).toBe('{"metadata":{"labels":{"a":"b"}}}');
      await client.patch(widget, mergeFrom(Widget.create({ metadata: widget.metadata, spec: { value: 0 } })));
      expect(written.pop() === `{"spec":{"value":${value}}}`).toBe(true);
      await client.apply(
        { apiVersion: "demo/v1", kind: "Widget", metadata: { name: "large", namespace: "default" }, spec: widget.spec },
        { fieldOwner: "test" },
      );
      expect(written.pop()?.includes(`"spec":{"value":${value}}`)).toBe(true);
      expect(
        (
          await createOrUpdate(
            client,
            Widget.create({ metadata: { name: "large", namespace: "default" }, spec: { value: 0 } }),
            () => undefined,
          )
        ).result,
      ).toBe("unchanged");
      expect(written).toEqual([]);
    },
  );

  it.each(Object.entries(LARGE_VALUES))("with %s equals its copy in all notations of equality", (_, value) => {
    const [left, right] = [parseLosslessJson(widgetText("a", value)), parseLosslessJson(widgetText("a", value))];
    const other = parseLosslessJson(widgetText("b", value));
    expect(deepEqual(left, right)).toBe(true);
    expect(deepEqual(left, other)).toBe(false);
    expect(semantic.deepEqual(left, right)).toBe(true);
    expect(semantic.deepEqual(left, other)).toBe(false);
    expect(semantic.deepDerivative(left, right)).toBe(true);
    expect(semantic.deepDerivative(left, other)).toBe(false);
  });
});

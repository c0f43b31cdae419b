import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";

import { crd } from "../kinds.ts";
import { objectOf, type Call, type Json, type Row, type RowContext } from "../row.ts";
import { installCrd } from "./install-crd.ts";

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";
const GROUP = "row134.example.com";

/** Rows about who owns the replicas that are written through the subresource scale. */
export const APPLY_SCALE_ROWS: readonly Row[] = [
  {
    row: 132,
    title: "applying a scale states the replicas of the object alone, and says so of their owner",
    run: async (context) => {
      const row = deploymentRow(context);
      await row.apply("create", deployment({ replicas: 1, minReadySeconds: 1 }), "fieldManager=whole");
      await row.applyScale("a conflict", { spec: { replicas: 2 } }, "fieldManager=scaler");
      await row.applyScale("the same value", { spec: { replicas: 1 } }, "fieldManager=scaler");
      await row.applyScale("by force", { spec: { replicas: 3 } }, "fieldManager=scaler&force=true");
      await row.applyScale("again", { spec: { replicas: 3 } }, "fieldManager=scaler");
      const other = deployment({ replicas: 4, minReadySeconds: 1 });
      await row.apply("a conflict on the object", other, "fieldManager=whole");
      await row.apply("without the replicas", deployment({ minReadySeconds: 2 }), "fieldManager=whole");
      await row.patchScale("an update", { spec: { replicas: 5 } }, "fieldManager=hand");
      await row.patchScale("another update", { spec: { replicas: 6 } }, "fieldManager=hand");
      await row.applyScale("a conflict with an update", { spec: { replicas: 7 } }, "fieldManager=scaler");
      await row.patchScale("an update without a change", { spec: { replicas: 6 } }, "fieldManager=idle");
      await row.applyScale("dry", { spec: { replicas: 8 } }, "fieldManager=scaler&force=true&dryRun=All");
      await row.applyScale("with a status", { spec: { replicas: 6 }, status: { replicas: 9 } }, "fieldManager=scaler");
      await row.patchScale("an update by one who applies", { spec: { replicas: 2 } }, "fieldManager=whole");
      await row.applyScale("none", { spec: { replicas: 0 } }, "fieldManager=scaler&force=true");
      const both = { spec: { replicas: 4, revisionHistoryLimit: 3 } };
      await row.patch("an update of the object", both, "fieldManager=hand");
      await row.patchScale("an update of its scale", { spec: { replicas: 5 } }, "fieldManager=idle");
    },
  },
  {
    row: 133,
    title: "a scale that is applied is checked as a scale",
    run: async (context) => {
      const row = deploymentRow(context);
      await row.apply("create", deployment({ replicas: 1 }), "fieldManager=whole");
      await row.applyScale("another kind", { kind: "Device" }, "fieldManager=scaler");
      await row.applyScale("another version", { apiVersion: "autoscaling/v2" }, "fieldManager=scaler");
      await row.applyScale("an unknown field", { spec: { bogus: 1 } }, "fieldManager=scaler");
      await row.applyScale("owners", { metadata: { managedFields: [{}] } }, "fieldManager=scaler");
      await row.applyScale("nobody who applies", { spec: { replicas: 1 } }, "");
      await row.applyScale("another name", { metadata: { name: "b" }, spec: { replicas: 1 } }, "fieldManager=scaler");
      await row.applyScale("a negative number", { spec: { replicas: -1 } }, "fieldManager=scaler&force=true");
      await row.applyScale("no spec", {}, "fieldManager=scaler");
      await row.applyScale("by one who applies both", { spec: { replicas: 2 } }, "fieldManager=whole&force=true");
      await row.applyScale("no replicas any more", { spec: {} }, "fieldManager=whole");
      const path = `${row.path}-none/scale?fieldManager=scaler`;
      const body = scale({ metadata: { name: "a-none" }, spec: { replicas: 1 } });
      await context.send("an object that is not there", { method: "PATCH", path, body, contentType: APPLY });
    },
  },
  {
    row: 134,
    title: "servers own the replicas of custom resources by scale, and cannot apply other ones",
    run: async (context) => {
      await installCrd(context, deviceCrd());
      const row = scaleRow(context, `/apis/${GROUP}/v1/namespaces/${context.namespace}/devices/a`);
      const device = (spec: Json): Json => ({
        apiVersion: `${GROUP}/v1`,
        kind: "Device",
        metadata: { name: "a" },
        spec,
      });
      await row.apply("create", device({ size: 1, color: "red" }), "fieldManager=whole");
      await row.applyScale("a conflict", { spec: { replicas: 2 } }, "fieldManager=scaler");
      await row.applyScale("the same value", { spec: { replicas: 1 } }, "fieldManager=scaler");
      await row.applyScale("by force", { spec: { replicas: 3 } }, "fieldManager=scaler&force=true");
      await row.apply("a conflict on the object", device({ size: 4, color: "red" }), "fieldManager=whole");
      await row.apply("without the replicas", device({ color: "blue" }), "fieldManager=whole");
      await row.patchScale("an update", { spec: { replicas: 5 } }, "fieldManager=hand");
      await row.patchScale("another update", { spec: { replicas: 6 } }, "fieldManager=hand");
      await row.applyScale("a conflict with an update", { spec: { replicas: 7 } }, "fieldManager=scaler");
      await row.patchScale("an update without a change", { spec: { replicas: 6 } }, "fieldManager=idle");
      await row.applyScale("no spec", {}, "fieldManager=scaler");
      await row.applyScale("another name", { metadata: { name: "b" } }, "fieldManager=scaler");
    },
  },
];

interface ScaleRow {
  readonly path: string;
  readonly apply: (step: string, body: Json, query: string) => Promise<void>;
  readonly applyScale: (step: string, fields: Json, query: string) => Promise<void>;
  readonly patch: (step: string, body: Json, query: string) => Promise<void>;
  readonly patchScale: (step: string, body: Json, query: string) => Promise<void>;
}

const MANAGERS: ReadonlySet<string> = new Set(["whole", "scaler", "hand", "idle"]);

function deploymentRow(context: RowContext): ScaleRow {
  return scaleRow(context, `/apis/apps/v1/namespaces/${context.namespace}/deployments/a`);
}

// Controllers write to the object meanwhile: what is noted is what they leave alone.
function scaleRow({ note, quietly }: RowContext, path: string): ScaleRow {
  const patch = async (step: string, call: Omit<Call, "method">): Promise<void> => {
    const { status, body } = await quietly({ method: "PATCH", ...call });
    const { spec, message, reason, details } = body as Json;
    const { metadata, spec: stored } = objectOf(await quietly({ path }));
    const owners = ((metadata["managedFields"] ?? []) as readonly ManagedFieldsEntry[])
      .filter(({ manager = "" }) => MANAGERS.has(manager))
      .map(({ time: _time, ...entry }) => entry)
      // Their order is that of times, which may be the same.
      .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
    const answered = status < 300 ? { spec: isScale(spec) ? spec : "<spec>" } : { message, reason, details };
    const replicas = stored?.["replicas"] ?? stored?.["size"];
    // What is absent is left out, as in what was recorded.
    note(step, JSON.parse(JSON.stringify({ status, ...answered, stored: replicas, owners })));
  };
  return {
    path,
    apply: (step, body, query) => patch(step, { path: `${path}?${query}`, body, contentType: APPLY }),
    applyScale: (step, fields, query) =>
      patch(step, { path: `${path}/scale?${query}`, body: scale(fields), contentType: APPLY }),
    patch: (step, body, query) => patch(step, { path: `${path}?${query}`, body, contentType: MERGE }),
    patchScale: (step, body, query) => patch(step, { path: `${path}/scale?${query}`, body, contentType: MERGE }),
  };
}

function nameOf({ manager = "", operation = "", subresource = "" }: ManagedFieldsEntry): string {
  return [manager, operation, subresource].join(" ");
}

// The spec of an object of another kind is as long as it was sent.
function isScale(spec: unknown): boolean {
  return Object.keys(spec as Json).every((name) => name === "replicas");
}

// A paused one makes no Pods.
function deployment(fields: Json): Json {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { ...fields, paused: true, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec };
}

function scale(fields: Json): Json {
  return { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "a" }, ...fields };
}

function deviceCrd(): Json {
  const schema = {
    spec: { type: "object", properties: { size: { type: "integer" }, color: { type: "string" } } },
    status: { type: "object", properties: { replicas: { type: "integer" } } },
  };
  const paths = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" };
  return crd({ group: GROUP, kind: "Device", schema, version: { subresources: { status: {}, scale: paths } } });
}

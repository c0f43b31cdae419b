import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { isJsonObject } from "@kubescaffold/schema/values";
import { expect, it, onTestFinished } from "vitest";

import type { Json } from "../conformance/row.ts";
import { transportOf } from "../conformance/transport.ts";
import { baseObjects, NAMESPACE } from "./base-objects.ts";

// What makes admission look into Pods and claims before they are validated.
const LIMITS = {
  metadata: { name: "limits" },
  spec: { limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { memory: "1Mi" } }] },
};
const QUOTA = { metadata: { name: "quota" }, spec: { hard: { pods: "1000", "requests.cpu": "1000" } } };
const DEEPEST = 6;

type Path = readonly (number | string)[];

/** Returns the paths of all members and items of a value, down to a depth. */
function pathsIn(value: unknown, at: Path = []): readonly Path[] {
  if (at.length === DEEPEST) return [];
  const entries: readonly (readonly [number | string, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, part]) => [[...at, key], ...pathsIn(part, [...at, key])]);
}

/** Returns a copy in which one part has another value; undefined removes it. */
function changed(object: Json, path: Path, value: unknown): Json {
  const copy = structuredClone(object);
  let holder = copy as Record<number | string, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<number | string, unknown>;
  const last = path.at(-1) ?? "";
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
  return copy;
}

const VALUES: Readonly<Record<string, unknown>> = {
  "is missing": undefined,
  "is null": null,
  "is {}": {},
  "is []": [],
};

it.each(Object.keys(VALUES))(
  "no part that %s is a defect of the server, whatever admission does",
  async (how) => {
    const cluster = createEmbeddedCluster();
    onTestFinished(() => cluster.close());
    const transport = transportOf(cluster.config);
    const post = async (path: string, body: Json): Promise<number> => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await transport(new Request(`http://server.invalid${path}`, init))).status;
    };
    expect(await post("/api/v1/namespaces", { metadata: { name: NAMESPACE } })).toBe(201);
    expect(await post(`/api/v1/namespaces/${NAMESPACE}/limitranges`, LIMITS)).toBe(201);
    expect(await post(`/api/v1/namespaces/${NAMESPACE}/resourcequotas`, QUOTA)).toBe(201);
    const defects: string[] = [];
    let sent = 0;
    for (const { kind, path, object } of baseObjects()) {
      for (const part of pathsIn(object)) {
        sent += 1;
        const status = await post(`${path}?dryRun=All`, changed(object, part, VALUES[how]));
        if (status >= 500) defects.push(`${kind} without ${part.join(".")}: ${status}`);
      }
    }
    expect(sent).toBeGreaterThan(1000);
    expect(defects).toEqual([]);
  },
  120_000,
);

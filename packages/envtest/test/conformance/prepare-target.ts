import { setTimeout as delay } from "node:timers/promises";

import { SHARED_CRDS } from "./kinds.ts";
import type { KubeObject } from "./row.ts";
import type { ConformanceTarget } from "./target.ts";
import { transportOf } from "./transport.ts";

const DEADLINE_MS = 60_000;

/** Gives a target what every row expects: the shared definitions, served, and the namespace `default`. */
export async function prepareTarget(target: ConformanceTarget): Promise<void> {
  const transport = transportOf(target.admin);
  const call = async (path: string, init?: RequestInit): Promise<Response> =>
    transport(new Request(`http://server.invalid${path}`, init));
  await until(async () => (await call("/api/v1/namespaces/default")).ok, "the namespace default");
  for (const crd of SHARED_CRDS as readonly KubeObject[]) {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const created = await call(path, {
      method: "POST",
      body: JSON.stringify(crd),
      headers: { "content-type": "application/json" },
    });
    if (created.status !== 201) throw new TypeError(`cannot create ${crd.metadata.name}: ${await created.text()}`);
    await until(
      async () => isEstablished((await (await call(`${path}/${crd.metadata.name}`)).json()) as KubeObject),
      crd.metadata.name,
    );
    await until(async () => isServed(call, crd), `${crd.metadata.name} to be served`);
  }
}

// The reference serves a definition some time before its handler accepts writes.
async function isServed(call: (path: string) => Promise<Response>, crd: KubeObject): Promise<boolean> {
  const { group, names } = crd.spec as { group: string; names: { plural: string } };
  return (await call(`/apis/${group}/v1/${names.plural}`)).ok;
}

function isEstablished({ status }: KubeObject): boolean {
  const conditions = (status?.["conditions"] ?? []) as readonly { readonly type: string; readonly status: string }[];
  return conditions.some((condition) => condition.type === "Established" && condition.status === "True");
}

async function until(probe: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await probe())) {
    if (performance.now() > deadline) throw new TypeError(`timed out waiting for ${what}`);
    await delay(20);
  }
}

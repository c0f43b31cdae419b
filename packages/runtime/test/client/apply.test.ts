import { Environment } from "@kubescaffold/envtest";
import {
  defineKind,
  type AppliesTo,
  type ApplyFields,
  type Kind,
  type ListMapItem,
  type OwnFields,
} from "@kubescaffold/k8s";
import { deploymentApply, type DeploymentApply } from "@kubescaffold/k8s/apply/apps/v1";
import type { NamespacedMetaApply } from "@kubescaffold/k8s/apply/meta/v1";
import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { extractApplied } from "@kubescaffold/schema";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";

interface Port {
  name: string;
  protocol?: "TCP" | "UDP";
  number?: number;
}

interface Harbour extends KubernetesObject {
  spec: {
    size: number;
    berths?: Record<string, string>;
    ports?: Port[];
    ships?: string[];
    crane?: { a?: string; b?: string };
  };
  status?: { ready?: number };
}

const Harbour: Kind<Harbour> = defineKind<Harbour>({ group: "apply.demo", version: "v1" }, "Harbour");

// As the generator writes it.
type HarbourSpecApply = ApplyFields<Harbour["spec"], { ports: readonly ListMapItem<ApplyFields<Port>, "name">[] }>;
interface HarbourApply extends ApplyFields<OwnFields<Harbour>, { spec: HarbourSpecApply }>, AppliesTo<Harbour> {
  readonly apiVersion: "apply.demo/v1";
  readonly kind: "Harbour";
  readonly metadata: NamespacedMetaApply;
}

const TEXT = { type: "string" };
const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "harbours.apply.demo" },
  spec: {
    group: "apply.demo",
    names: { kind: "Harbour", listKind: "HarbourList", plural: "harbours", singular: "harbour" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  berths: { type: "object", additionalProperties: TEXT },
                  ports: {
                    type: "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name", "protocol"],
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: {
                        name: TEXT,
                        protocol: { type: "string", default: "TCP" },
                        number: { type: "integer" },
                      },
                    },
                  },
                  ships: { type: "array", "x-kubernetes-list-type": "set", items: TEXT },
                  crane: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: TEXT, b: TEXT } },
                },
              },
              status: { type: "object", properties: { ready: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

const environment = new Environment({ crds: [CRD] });
let client: Client;
let namespace: string;

beforeAll(async () => {
  client = createClient(await environment.start());
  const made = await client.create(Namespace.create({ metadata: { generateName: "apply-" } }));
  namespace = made.metadata.name ?? "";
});

afterAll(() => environment.stop());

function harbour(name: string, fields: Pick<HarbourApply, "spec" | "status">): HarbourApply {
  return { apiVersion: "apply.demo/v1", kind: "Harbour", metadata: { name, namespace }, ...fields };
}

describe("applying an apply configuration", () => {
  it("returns the kind, and leaves what others state alone", async () => {
    const first: Harbour = await client.apply(harbour("shared", { spec: { size: 1, berths: { a: "1" } } }), {
      fieldOwner: "one",
    });
    const second = await client.apply(harbour("shared", { spec: { berths: { b: "2" } } }), { fieldOwner: "two" });
    expect(first.spec.berths).toEqual({ a: "1" });
    expect(second.spec).toEqual({ size: 1, berths: { a: "1", b: "2" } });
  });

  it("goes to the status through its subresource, and is extracted from there", async () => {
    await client.apply(harbour("status", { spec: { size: 1 } }), { fieldOwner: "one" });
    const stored = await client.status().apply(harbour("status", { status: { ready: 3 } }), { fieldOwner: "one" });
    expect(stored).toMatchObject({ spec: { size: 1 }, status: { ready: 3 } });
    expect(extractApplied<HarbourApply>(stored, "one")).toEqual(harbour("status", { spec: { size: 1 } }));
    expect(extractApplied<HarbourApply>(stored, "one", "status")).toEqual(harbour("status", { status: { ready: 3 } }));
  });

  it("is changed by what was extracted, without touching anything else", async () => {
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
    const mine = deploymentApply("web", namespace, {
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    await client.apply(mine, { fieldOwner: "one" });
    const scaled = await client.apply(deploymentApply("web", namespace, { spec: { paused: true } }), {
      fieldOwner: "two",
    });
    const extracted = extractApplied<DeploymentApply>(scaled, "one");
    expect(extracted).toEqual(mine);
    const stored: Deployment = await client.apply(
      { ...extracted, spec: { ...extracted.spec, replicas: 2 } },
      { fieldOwner: "one" },
    );
    expect(stored.spec).toMatchObject({ replicas: 2, paused: true });
    expect(extractApplied<DeploymentApply>(stored, "two").spec).toEqual({ paused: true });
  });

  it("refuses at compile time what the server would", () => {
    // @ts-expect-error an element of a list map has its keys
    harbour("a", { spec: { ports: [{ number: 1 }] } });
    // @ts-expect-error there is no such field
    harbour("a", { spec: { sise: 1 } });
    // @ts-expect-error a Harbour is no Deployment
    const wrong = (): Promise<Deployment> => client.apply(harbour("a", {}), { fieldOwner: "one" });
    expect(wrong).toBeTypeOf("function");
  });
});

const word = fc.constantFrom("a", "b", "c", "d");
// Nobody owns a list of keys or values that is empty.
const specs: fc.Arbitrary<HarbourSpecApply> = fc.record(
  {
    size: fc.integer({ min: 0, max: 9 }),
    berths: fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true }),
    ports: fc.uniqueArray(
      fc.record(
        {
          name: word,
          protocol: fc.constantFrom("TCP" as const, "UDP" as const),
          number: fc.integer({ min: 0, max: 9 }),
        },
        { requiredKeys: ["name", "protocol"], noNullPrototype: true },
      ),
      { selector: ({ name, protocol }) => `${name} ${protocol}`, minLength: 1 },
    ),
    ships: fc.uniqueArray(word, { minLength: 1 }),
    crane: fc.record({ a: word, b: word }, { requiredKeys: ["a"], noNullPrototype: true }),
  },
  { requiredKeys: ["size"], noNullPrototype: true },
);

describe("whatever is applied", () => {
  it("is what is extracted, whatever others applied before and after", { timeout: 120_000 }, async () => {
    let count = 0;
    const force = { forceOwnership: true };
    await fc.assert(
      fc.asyncProperty(specs, specs, specs, async (before, mine, others) => {
        count += 1;
        const name = `random-${count}`;
        await client.apply(harbour(name, { spec: before }), { fieldOwner: "other", ...force });
        const applied = await client.apply(harbour(name, { spec: mine }), { fieldOwner: "me", ...force });
        expect(byName(extractApplied<HarbourApply>(applied, "me"))).toEqual(byName(harbour(name, { spec: mine })));
        const again = await client.apply(extractApplied<HarbourApply>(applied, "me"), { fieldOwner: "me" });
        expect(again.metadata.resourceVersion).toBe(applied.metadata.resourceVersion);
        const after = await client.apply(harbour(name, { spec: others }), { fieldOwner: "other", ...force });
        expect(byName(extractApplied<HarbourApply>(after, "other"))).toEqual(byName(harbour(name, { spec: others })));
      }),
      { numRuns: 40 },
    );
  });
});

// Elements of maps and sets have the order of the object.
function byName({ spec = {}, ...rest }: HarbourApply): unknown {
  const { ports, ships, ...others } = spec;
  const keyed = ports?.toSorted((left, right) =>
    JSON.stringify([left.name, left.protocol]) < JSON.stringify([right.name, right.protocol]) ? -1 : 1,
  );
  return {
    ...rest,
    spec: { ...others, ports: keyed, ships: ships?.toSorted((left, right) => (left < right ? -1 : 1)) },
  };
}

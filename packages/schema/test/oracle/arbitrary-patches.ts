import * as fc from "fast-check";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const compact = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const labels = fc.dictionary(fc.constantFrom("app", "tier", "env"), fc.constantFrom("x", "y"), { maxKeys: 2 });

const container = fc
  .record({
    name: fc.constantFrom("c1", "c2", "c3", "c4"),
    image: optional(fc.constantFrom("nginx:1", "nginx:2", "busybox")),
    args: optional(fc.array(fc.constantFrom("-a", "-b"), { maxLength: 2 })),
    env: optional(
      fc.uniqueArray(fc.record({ name: fc.constantFrom("A", "B", "C"), value: fc.constantFrom("1", "2") }), {
        selector: (item) => item.name,
        maxLength: 3,
      }),
    ),
    ports: optional(
      fc.uniqueArray(
        fc.record({ containerPort: fc.constantFrom(80, 443, 8080), protocol: fc.constantFrom("TCP", "UDP") }),
        {
          selector: (item) => item.containerPort,
          maxLength: 2,
        },
      ),
    ),
  })
  .map(compact);

const volume = fc
  .record({
    name: fc.constantFrom("v1", "v2"),
    emptyDir: optional(fc.constant({})),
    configMap: optional(fc.record({ name: fc.constantFrom("m", "n") })),
  })
  .map(compact);

const uniqueByName = (item: fc.Arbitrary<JsonObject>, maxLength: number): fc.Arbitrary<JsonObject[]> =>
  fc.uniqueArray(item, { selector: (value) => value["name"], maxLength });

/** Pods with lists that merge by key, lists that merge as sets, and lists that do not merge. */
export const pods: fc.Arbitrary<JsonObject> = fc
  .record({
    metadata: fc.record({
      name: fc.constant("p"),
      labels: optional(labels),
      finalizers: optional(fc.uniqueArray(fc.constantFrom("f/1", "f/2", "f/3"), { maxLength: 3 })),
    }),
    spec: fc.record({
      containers: uniqueByName(container, 4),
      volumes: optional(uniqueByName(volume, 2)),
      nodeSelector: optional(labels),
      tolerations: optional(fc.array(fc.record({ key: fc.constantFrom("k", "l") }), { maxLength: 2 })),
      priority: optional(fc.constantFrom(1, 2)),
      securityContext: optional(fc.record({ runAsUser: fc.constantFrom(1, 2) })),
    }),
  })
  .map(compact);

const rollingUpdate = fc.record({
  type: fc.constant("RollingUpdate"),
  rollingUpdate: fc.record({ maxSurge: fc.constantFrom(1, 2) }),
});

/** Deployments, whose strategy retains keys. */
export const deployments: fc.Arbitrary<JsonObject> = fc
  .record({
    metadata: fc.record({ name: fc.constant("d"), annotations: optional(labels) }),
    spec: fc.record({
      replicas: optional(fc.constantFrom(1, 2)),
      strategy: optional(fc.oneof(fc.constant({ type: "Recreate" }), rollingUpdate)),
      template: fc.record({ spec: fc.record({ containers: uniqueByName(container, 3) }) }),
    }),
  })
  .map(compact);

const directiveItem = fc.oneof(
  { weight: 5, arbitrary: container },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom("c1", "c2"), $patch: fc.constant("delete") }) },
  { weight: 1, arbitrary: fc.constant({ $patch: "replace" }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant("c1"), $patch: fc.constantFrom("merge", "bogus") }) },
  { weight: 1, arbitrary: fc.constant({ image: "nameless" }) },
);

/** Patches with directives, sound and not. */
export const podPatches: fc.Arbitrary<JsonObject> = fc
  .record({
    metadata: optional(
      fc.record(
        {
          labels: fc.oneof(
            labels,
            fc.constant(null),
            fc.constant({ app: null }),
            fc.record({ $patch: fc.constantFrom("replace", "delete"), app: fc.constant("z") }),
          ),
          finalizers: fc.array(fc.constantFrom("f/1", "f/4"), { maxLength: 2 }),
          "$deleteFromPrimitiveList/finalizers": fc.array(fc.constantFrom("f/1", "f/2"), { maxLength: 2 }),
          "$setElementOrder/finalizers": fc.uniqueArray(fc.constantFrom("f/1", "f/2", "f/3", "f/4"), { maxLength: 4 }),
        },
        { requiredKeys: [] },
      ),
    ),
    spec: optional(
      fc.record(
        {
          containers: fc.oneof(
            { weight: 8, arbitrary: fc.array(directiveItem, { maxLength: 3 }) },
            { weight: 1, arbitrary: fc.constant("text") },
          ),
          "$setElementOrder/containers": fc.uniqueArray(fc.record({ name: fc.constantFrom("c1", "c2", "c3", "c4") }), {
            selector: (item) => item.name,
            maxLength: 4,
          }),
          volumes: fc.array(
            fc.oneof(
              volume,
              volume.map((item) => ({ ...item, $retainKeys: Object.keys(item) })),
              volume.map((item) => ({ ...item, $retainKeys: ["name"] })),
            ),
            { maxLength: 2 },
          ),
          nodeSelector: fc.oneof(labels, fc.constant(null)),
          tolerations: fc.array(fc.record({ key: fc.constantFrom("k", "l") }), { maxLength: 2 }),
          priority: fc.constantFrom(1, 2, null),
          securityContext: fc.oneof(
            fc.record({ runAsUser: fc.constantFrom(1, null) }),
            fc.constant({ $patch: "delete" }),
            fc.constant({ $patch: "odd" }),
          ),
        },
        { requiredKeys: [] },
      ),
    ),
  })
  .map(compact);

const keys = fc.constantFrom("a", "b", "c", "a~b", "x/y");

/** Small documents whose members are often the same. */
export const documents: fc.Arbitrary<JsonObject> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, 1, 2, "s", "t", true, 1.5),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(keys, tie("value"), { maxKeys: 3 }),
})).object;

const token = fc.oneof(keys, fc.constantFrom("0", "1", "2", "-1", "-2", "-", "9", "-9", "01", "e"));
const pointer = fc
  .array(token, { minLength: 1, maxLength: 3 })
  .map((tokens) => tokens.map((text) => `/${text.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""));
const anyPointer = fc.oneof(
  { weight: 15, arbitrary: pointer },
  { weight: 1, arbitrary: fc.constantFrom("", "/", "a", "b/c") },
);
const scalar = fc.constantFrom<Json>(null, 1, 2, "s", [1], { a: 1 });

/** Lists of operations, many of which do not apply. */
export const jsonPatches: fc.Arbitrary<Json[]> = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant("add"), path: anyPointer, value: scalar }),
    fc.record({ op: fc.constant("remove"), path: anyPointer }),
    fc.record({ op: fc.constant("replace"), path: anyPointer, value: scalar }),
    fc.record({ op: fc.constant("test"), path: anyPointer, value: scalar }),
    fc.record({ op: fc.constant("move"), path: anyPointer, from: pointer }),
    fc.record({ op: fc.constant("copy"), path: anyPointer, from: pointer }),
  ),
  { minLength: 1, maxLength: 3 },
);

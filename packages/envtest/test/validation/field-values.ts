import type { OpenApiSchema } from "@kubescaffold/k8s/tables";

import type { Random } from "../../src/conversion/random-value.ts";
import { resolved } from "./resolved-schema.ts";

interface Field {
  readonly name: string;
  readonly random: Random;
  readonly depth: number;
}

const DEEPEST = 5;

/** Returns a value of a field, valid more often than not. */
export function randomFieldValue(source: OpenApiSchema, field: Field): unknown {
  const schema = resolved(source);
  const { random, depth } = field;
  if (schema.enum !== undefined && random() < 0.8) return pick(random, schema.enum);
  if (isQuantity(source)) return pick(random, QUANTITIES);
  if (isIntOrString(source)) return pick(random, INT_OR_STRINGS);
  if (isTime(schema)) return pick(random, TIMES[schema.format === "date-time" && isMicro(source) ? 1 : 0] ?? []);
  switch (schema.type) {
    case "string":
      return schema.format === "byte" ? pick(random, ["", "YQ==", "YWJj"]) : text(field);
    case "integer":
    case "number":
      return integer(field);
    case "boolean":
      return random() < 0.6;
    case "array":
      return Array.from({ length: pick(random, [0, 1, 1, 1, 2]) }, () =>
        depth > DEEPEST ? {} : randomFieldValue(schema.items ?? {}, { ...field, depth: depth + 1 }),
      );
    default:
      return objectValue(schema, field);
  }
}

function objectValue(schema: OpenApiSchema, { name, random, depth }: Field): unknown {
  if (schema.additionalProperties !== undefined) {
    const value = randomFieldValue(schema.additionalProperties, { name, random, depth: depth + 1 });
    return random() < 0.2 ? {} : { [randomKey(name, random)]: value };
  }
  const { properties = {}, required = [] } = schema;
  const share = [0.4, 0.25, 0.15, 0.1, 0.05, 0][depth] ?? 0;
  // Unions mostly have one member.
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  const chosen =
    optional.length > 8
      ? optional.filter(() => random() < 1.5 / optional.length)
      : optional.filter(() => random() < share);
  const entries = [...required.filter(() => random() < 0.95), ...chosen].map((key) => [
    key,
    randomFieldValue(properties[key] ?? {}, { name: key, random, depth: depth + 1 }),
  ]);
  return Object.fromEntries(entries);
}

const isQuantity = ({ $ref, allOf }: OpenApiSchema): boolean =>
  `${$ref} ${allOf?.[0]?.$ref}`.includes("resource.Quantity");
const isIntOrString = ({ $ref, allOf }: OpenApiSchema): boolean =>
  `${$ref} ${allOf?.[0]?.$ref}`.includes("IntOrString");
const isMicro = ({ $ref, allOf }: OpenApiSchema): boolean => `${$ref} ${allOf?.[0]?.$ref}`.includes("MicroTime");
const isTime = ({ format }: OpenApiSchema): boolean => format === "date-time";

const QUANTITIES = ["1", "2Gi", "100m", "0", "-1", "1.5", "1500m", "4Ki"] as const;
const INT_OR_STRINGS = [0, 1, 80, 100, -1, 65_536, "50%", "0%", "101%", "http", "-5%", "a_b", ""] as const;
const MAP_KEYS = [
  "a",
  "b",
  "a.b",
  "-a",
  "UPPER",
  "x".repeat(64),
  "example.com/a",
  "bad key",
  "",
  "cpu",
  "memory",
  "storage",
  "kubernetes.io/os",
] as const;
// Keys that mean something, of annotations and of what selects Nodes.
const ANNOTATION_KEYS = [
  "autoscaling.alpha.kubernetes.io/metrics",
  "autoscaling.alpha.kubernetes.io/conditions",
  "container.apparmor.security.beta.kubernetes.io/main",
  "container.seccomp.security.alpha.kubernetes.io/main",
  "controller.kubernetes.io/pod-deletion-cost",
  "kubernetes.io/config.mirror",
  "kubernetes.io/enforce-mountable-secrets",
  "kubernetes.io/ingress.class",
  "scheduler.alpha.kubernetes.io/critical-pod",
  "scheduler.alpha.kubernetes.io/taints",
  "seccomp.security.alpha.kubernetes.io/pod",
  "service.kubernetes.io/topology-aware-hints",
  "service.kubernetes.io/topology-mode",
  "volume.beta.kubernetes.io/mount-options",
  "volume.beta.kubernetes.io/storage-class",
] as const;
const NODE_KEYS = ["beta.kubernetes.io/os", "node-role.kubernetes.io/master", "kubernetes.io/hostname"] as const;

/** Returns a key of the map in a field, valid more often than not. */
export function randomKey(name: string, random: Random): string {
  const own = name === "annotations" ? ANNOTATION_KEYS : /selector|label/iu.test(name) ? NODE_KEYS : [];
  return own.length > 0 && random() < 0.4 ? pick(random, own) : pick(random, MAP_KEYS);
}

const TIMES = [["2026-01-01T00:00:00Z"], ["2026-01-01T00:00:00.000000Z"]] as const;
const INTEGERS = [0, 1, 2, 3, 5, 10, 80, 100, -1, -5, 50, 101, 1000, 65_535, 65_536, 2_147_483_647] as const;
// Beyond 32 bits, beyond the integers that a number holds, and at the end of 64 bits.
const LARGE_INTEGERS = [4_294_967_297, 9_007_199_254_740_993n, 2n ** 63n - 1n] as const;

function integer({ name, random }: Field): number | bigint {
  if (random() < 0.03) return pick(random, LARGE_INTEGERS);
  return /port/iu.test(name) && random() < 0.6 ? pick(random, [80, 443, 8080, 30_100]) : pick(random, INTEGERS);
}

// Values that occur in many fields; those of a field's own name come first.
const WORDS = [
  "a",
  "b",
  "",
  "a-b",
  "UPPER",
  "a_b",
  "a.b",
  "a/b",
  "-a",
  "a b",
  "x".repeat(64),
  "x".repeat(254),
  "*",
  "None",
  "1",
  "example.com/a",
  "kubernetes.io/a",
  "http",
] as const;
const BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [/path|dir/iu, ["/a", "/a/b", "a/b", "../a", "/a/../b", "/", "a:b"]],
  [
    /ip|address|server|portal/iu,
    [
      "10.0.0.1",
      "192.0.2.1",
      "::1",
      "fd00::1",
      "10.0.0.256",
      "127.0.0.1",
      "169.254.1.1",
      "010.0.0.1",
      "::ffff:192.0.2.1",
      "FD00:0::1",
    ],
  ],
  [
    /cidr|except|ranges/iu,
    [
      "10.0.0.0/8",
      "10.0.0.1/8",
      "fd00::/64",
      "10.0.0.0/33",
      "10.1.0.0/16",
      "010.0.0.0/8",
      "10.0.0.0/08",
      "::ffff:10.0.0.0/104",
      "FD00::/64",
    ],
  ],
  [/expression/iu, ["true", "object.metadata.name == 'a'", "1 +", "self", "device.driver == 'a'"]],
  [/operator/iu, ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Equal"]],
  [/effect/iu, ["NoSchedule", "PreferNoSchedule", "NoExecute"]],
  [/protocol/iu, ["TCP", "UDP", "SCTP", "tcp"]],
  [/mode/iu, ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", "Filesystem", "Block"]],
  [/fieldPath/u, ["metadata.name", "metadata.labels['a']", "spec.nodeName", "status.podIP", "metadata.labels"]],
  [/^resource$/u, ["limits.cpu", "requests.memory", "pods", "services"]],
  [/kind|type/iu, ["User", "Group", "ServiceAccount", "Pod", "Secret", "Utilization", "Value", "Pods", "Opaque"]],
  [
    /policy|policies/iu,
    ["Always", "Never", "OnFailure", "Retain", "Delete", "Orphan", "Cluster", "Local", "IfNotPresent"],
  ],
  [/apiversion|group/iu, ["v1", "apps/v1", "rbac.authorization.k8s.io", "apps", "a/b/c"]],
  [/verbs|operations/iu, ["get", "*", "CREATE", "UPDATE"]],
  [/driver|provisioner|attacher|signer|controller/iu, ["disk.example.com", "example.com/disk"]],
  [/index/iu, ["0", "0-1", "1-0", "0,2", "5"]],
  [/schedule|zone/iu, ["0 * * * *", "* * * *", "Etc/UTC", "Local", "@daily", "61 * * * *"]],
  [/host|external/iu, ["example.com", "*.example.com", "a.example.com"]],
  [/key|label/iu, ["example.com/key", "topology.kubernetes.io/zone", "beta.kubernetes.io/arch"]],
  [/annotations/u, ["localhost/a", "runtime/default", "unconfined", "[]", "[{}]", "{}", "true", "5"]],
  [/url/iu, ["https://example.com/a", "http://example.com", "/healthz", "/a/*"]],
  [/name|ref|account|class|secret|claim/iu, ["a", "a-b", "b", "main"]],
];

function text({ name, random }: Field): string {
  const own = BY_NAME.filter(([pattern]) => pattern.test(name)).flatMap(([, values]) => values);
  return own.length > 0 && random() < 0.65 ? pick(random, own) : pick(random, WORDS);
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

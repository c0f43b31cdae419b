import { StatusError } from "@kubescaffold/k8s";

// The limit of etcd for one request. There, built-in kinds are stored as protobuf, which is shorter than JSON.
const LARGEST_OBJECT_BYTES = 1.5 * 1024 * 1024;

/**
 * Returns about how many bytes an object has as JSON.
 *
 * Fails: with 500 and the message of etcd when they are more than it stores.
 */
export function checkedBytes(object: object): number {
  const estimate = estimateBytes(object);
  // A character has three bytes at most, or six when it is escaped.
  if (estimate * 6 > LARGEST_OBJECT_BYTES && Buffer.byteLength(JSON.stringify(object)) > LARGEST_OBJECT_BYTES) {
    throw new StatusError({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "etcdserver: request is too large",
      code: 500,
    });
  }
  return estimate;
}

function estimateBytes(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let total = 2;
  if (Array.isArray(value)) {
    for (const item of value) total += estimateBytes(item) + 1;
    return total;
  }
  for (const key in value) total += key.length + 4 + estimateBytes((value as Record<string, unknown>)[key]);
  return total;
}

import { isRecord } from "@kubescaffold/k8s";

const REDACTED = "REDACTED";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Returns a value in which the data of all Secrets, at any depth, is `REDACTED`; their keys stay.
 *
 * The annotation with which kubectl remembers what it applied contains the data, too.
 */
export function redactSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return mapped(value, redactSecrets);
  if (!isRecord(value)) return value;
  if (value["kind"] === "SecretList" && Array.isArray(value["items"])) {
    return { ...value, items: value["items"].map((item) => (isRecord(item) ? redactedSecret(item) : item)) };
  }
  if (value["kind"] === "Secret") return redactedSecret(value);
  return mappedRecord(value, redactSecrets);
}

/** Returns the operations of a JSON patch of a Secret without the values that they write. */
export function redactPatch(operations: readonly unknown[]): readonly unknown[] {
  return operations.map((operation) =>
    isRecord(operation) && "value" in operation ? { ...operation, value: REDACTED } : operation,
  );
}

function redactedSecret(secret: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = secret;
  return {
    ...secret,
    ...(secret["data"] === undefined ? {} : { data: redactedData(secret["data"]) }),
    ...(secret["stringData"] === undefined ? {} : { stringData: redactedData(secret["stringData"]) }),
    ...(isRecord(metadata) ? { metadata: redactedMetadata(metadata) } : {}),
  };
}

function redactedData(data: unknown): unknown {
  return isRecord(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, REDACTED])) : REDACTED;
}

function redactedMetadata(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { annotations } = metadata;
  if (!isRecord(annotations) || !(LAST_APPLIED in annotations)) return metadata;
  return { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: REDACTED } };
}

// Unchanged values are not copied.
function mapped(values: readonly unknown[], map: (value: unknown) => unknown): readonly unknown[] {
  const results = values.map(map);
  return results.some((result, index) => result !== values[index]) ? results : values;
}

function mappedRecord(
  record: Readonly<Record<string, unknown>>,
  map: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(record).map(([key, value]) => [key, map(value)] as const);
  return entries.some(([key, value]) => value !== record[key]) ? Object.fromEntries(entries) : record;
}

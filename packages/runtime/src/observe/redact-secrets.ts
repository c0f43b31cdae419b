import { isRecord } from "@kubescaffold/platform";

const REDACTED = "REDACTED";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Returns a value in which the data of all Secrets, at any depth, is `REDACTED`; their keys stay.
 *
 * The annotation with which kubectl remembers what it applied contains the data, too.
 *
 * Guarantees: any number of levels; a value without Secrets is returned itself.
 */
export function redactSecrets(value: unknown): unknown {
  if (!containsSecret(value)) return value;
  const whole = { value };
  const later: object[] = [whole];
  for (let next = later.pop(); next !== undefined; next = later.pop()) redactParts(next, later);
  return whole.value;
}

// Secrets are not looked into.
function containsSecret(value: unknown): boolean {
  const later: unknown[] = [value];
  for (let next = later.pop(); next !== undefined; next = later.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isAboutSecrets(next)) return true;
    for (const part of Object.values(next)) if (typeof part === "object" && part !== null) later.push(part);
  }
  return false;
}

/** Replaces the parts of a copy by copies, whose own parts are replaced later, and Secrets. */
function redactParts(copy: object, later: object[]): void {
  const parts = copy as Record<string, unknown>;
  for (const key of Object.keys(parts)) {
    const part = parts[key];
    // A date has no members.
    if (typeof part !== "object" || part === null || Object.keys(part).length === 0) continue;
    const redacted = redactedHere(part);
    const replacement: object = redacted ?? (Array.isArray(part) ? [...(part as readonly unknown[])] : { ...part });
    // A member of the object itself, also one named __proto__, is replaced.
    parts[key] = replacement;
    if (redacted === undefined) later.push(replacement);
  }
}

function isAboutSecrets(value: object): boolean {
  const { kind, items } = value as { readonly kind?: unknown; readonly items?: unknown };
  return kind === "Secret" || (kind === "SecretList" && Array.isArray(items));
}

/** Returns a redacted copy of a Secret or a list of Secrets; undefined for other values. */
function redactedHere(value: unknown): object | undefined {
  if (!isRecord(value) || !isAboutSecrets(value)) return undefined;
  if (value["kind"] === "SecretList" && Array.isArray(value["items"])) {
    return { ...value, items: value["items"].map((item) => (isRecord(item) ? redactedSecret(item) : item)) };
  }
  return redactedSecret(value);
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

import { InvalidKubeconfigError } from "./errors.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** The type of a field of a kubeconfig entry; `base64` is a string of that form. */
export type FieldType =
  | "string"
  | "boolean"
  | "base64"
  | { readonly listOf: FieldType }
  | { readonly mapOf: FieldType }
  | { readonly fields: Readonly<Record<string, FieldType>> };

/** The fields of a cluster. */
export const CLUSTER_TYPE: FieldType = {
  fields: {
    server: "string",
    "tls-server-name": "string",
    "insecure-skip-tls-verify": "boolean",
    "certificate-authority": "string",
    "certificate-authority-data": "base64",
    "proxy-url": "string",
    "disable-compression": "boolean",
    extensions: { listOf: { fields: { name: "string" } } },
  },
};

const EXEC_TYPE: FieldType = {
  fields: {
    apiVersion: "string",
    command: "string",
    args: { listOf: "string" },
    env: { listOf: { fields: { name: "string", value: "string" } } },
    installHint: "string",
    provideClusterInfo: "boolean",
    interactiveMode: "string",
  },
};

/** The fields of a user. */
export const USER_TYPE: FieldType = {
  fields: {
    "client-certificate": "string",
    "client-certificate-data": "base64",
    "client-key": "string",
    "client-key-data": "base64",
    token: "string",
    tokenFile: "string",
    username: "string",
    password: "string",
    as: "string",
    "as-uid": "string",
    "as-groups": { listOf: "string" },
    "as-user-extra": { mapOf: { listOf: "string" } },
    "auth-provider": { fields: { name: "string", config: { mapOf: "string" } } },
    exec: EXEC_TYPE,
  },
};

/** The fields of a context. */
export const CONTEXT_TYPE: FieldType = { fields: { cluster: "string", user: "string", namespace: "string" } };

interface Place {
  readonly source: string;
  readonly place: string;
}

/**
 * Returns a value of a kubeconfig whose known fields have their types; null fields are omitted, unknown ones are unchanged.
 *
 * Fails: {@link InvalidKubeconfigError} with the path of the field and without its value, which may be a secret.
 */
export function withTypedFields(value: unknown, type: FieldType, at: Place): unknown {
  if (type === "base64") return requireBase64(requireType(value, "string", at), at);
  if (typeof type === "string") return requireType(value, type, at);
  if ("listOf" in type) return (requireType(value, "list", at) as unknown[]).map(typedItem(type.listOf, at));
  const mapping = requireType(value, "mapping", at) as Mapping;
  return "mapOf" in type
    ? typedMembers(mapping, { typeOf: () => type.mapOf, at })
    : typedMembers(mapping, { typeOf: (name) => memberOf(type.fields, name), at });
}

function typedItem(type: FieldType, { source, place }: Place): (item: unknown, index: number) => unknown {
  return (item, index) => withTypedFields(item, type, { source, place: `${place}[${String(index)}]` });
}

function typedMembers(
  mapping: Mapping,
  { typeOf, at }: { readonly typeOf: (name: string) => FieldType | undefined; readonly at: Place },
): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([name, member]) => {
      const type = typeOf(name);
      if (type === undefined) return [[name, member]];
      if (member === null) return [];
      return [[name, withTypedFields(member, type, { ...at, place: `${at.place}.${name}` })]];
    }),
  );
}

function memberOf(fields: Readonly<Record<string, FieldType>>, name: string): FieldType | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

const WANTED = { string: "a string", boolean: "true or false", list: "a list", mapping: "a mapping" } as const;

function requireType(value: unknown, wanted: keyof typeof WANTED, { source, place }: Place): unknown {
  const found = typeName(value);
  if (found === wanted) return value;
  throw new InvalidKubeconfigError(source, {
    detail: `${place} is a ${found} where ${WANTED[wanted]} is expected`,
    hint: wanted === "string" && found !== "list" && found !== "mapping" ? "quote it" : undefined,
  });
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "mapping" : typeof value === "bigint" ? "number" : typeof value;
}

// Buffer.from skips characters that are not base64.
function requireBase64(text: unknown, { source, place }: Place): unknown {
  const data = String(text).replaceAll(/[\r\n]/gu, "");
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u.test(data)) return text;
  throw new InvalidKubeconfigError(source, {
    detail: `${place} is not base64`,
    hint: `encode the file with base64, or set ${place.slice(place.lastIndexOf(".") + 1).replace(/-data$/u, "")} to its path`,
  });
}

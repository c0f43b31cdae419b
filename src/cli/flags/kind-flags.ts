/** The flags that name a kind. */
export const GVK_FLAGS = [
  { name: "group", kind: "string", mayBeEmpty: true, help: "group of the API, without the project's domain" },
  { name: "version", kind: "string", help: "version of the API, such as v1", isRequired: true },
  { name: "kind", kind: "string", help: "kind of the API, such as Guestbook", isRequired: true },
] as const;

/** The flag that names the plural of a new kind. */
export const PLURAL_FLAG = { name: "plural", kind: "string", help: "plural of the kind, if irregular" } as const;

/** The flags that say where the types of an external kind are. */
export const EXTERNAL_API_FLAGS = [
  {
    name: "external-api-path",
    kind: "string",
    help: "module that exports the types of an external kind",
  },
  {
    name: "external-api-domain",
    kind: "string",
    mayBeEmpty: true,
    help: "domain of an external kind's group; empty for a full group (default: the project's domain)",
  },
  { name: "external-api-module", kind: "string", help: "npm package of an external kind, as name[@version]" },
] as const;

/** The flags that name a kind, as far as they were given. */
export interface NameFlags {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind?: string | undefined;
}

/** The names of a kind, as text. */
interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns which kind flags name; what they omit is empty. */
export function namedKind({ group = "", version = "", kind = "" }: NameFlags): NamedKind {
  return { group, version, kind };
}

import type { Flag } from "../../plugin/flag.ts";
import { PACKAGE_MANAGERS } from "../../project/package-manager.ts";

/** The flags that every command takes. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: "plugins", kind: "list", help: "keys of the plugins to run instead of the project's" },
  {
    name: "input",
    kind: "boolean",
    help: "prompt for missing values if the terminal is interactive",
    default: "true",
  },
];

/** The flags of the commands that write a project. */
export const WRITING_FLAGS: readonly Flag[] = [
  { name: "dry-run", kind: "boolean", help: "print the changes as a diff without writing them", default: "false" },
  { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
];

/** The flag that answers the question which `--force` puts at a terminal. */
export const YES_FLAG: Flag = {
  name: "yes",
  kind: "boolean",
  help: "with --force, overwrite changed files without prompting",
  default: "false",
};

/** The flags that name a kind. */
export const GVK_FLAGS: readonly Flag[] = [
  { name: "group", kind: "string", help: "group of the API, without the project's domain" },
  { name: "version", kind: "string", help: "version of the API, such as v1", isRequired: true },
  { name: "kind", kind: "string", help: "kind of the API, such as Guestbook", isRequired: true },
  { name: "plural", kind: "string", help: "plural of the kind, if irregular" },
];

/** The flags that say where the types of an external kind are. */
export const EXTERNAL_API_FLAGS: readonly Flag[] = [
  {
    name: "external-api-path",
    kind: "string",
    help: "module that exports the types of an external kind",
  },
  {
    name: "external-api-domain",
    kind: "string",
    help: "domain of an external kind's group; empty for a full group (default: the project's domain)",
  },
  { name: "external-api-module", kind: "string", help: "npm package of an external kind, as name[@version]" },
];

/** The flag that names the package manager of a new project. */
export const PACKAGE_MANAGER_FLAG: Flag = {
  name: "package-manager",
  kind: "string",
  help: "package manager of the project (default: detected, or npm)",
  values: PACKAGE_MANAGERS,
};

/** The flags that say what is at the top of source files. */
export const LICENSE_FLAGS: readonly Flag[] = [
  {
    name: "license",
    kind: "string",
    help: "license in the header of source files",
    default: "apache2",
    values: ["apache2", "copyright", "none"],
  },
  {
    name: "license-file",
    kind: "string",
    isPath: true,
    help: "file with the header of source files; overrides --license",
  },
  { name: "owner", kind: "string", help: "copyright holder in the license header" },
];

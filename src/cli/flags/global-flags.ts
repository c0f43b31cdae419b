import type { Flag } from "../../plugin/flag.ts";

/** The flags that every command takes. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: "plugins", kind: "list", help: "keys of the plugins that run, in place of those of the project" },
  {
    name: "input",
    kind: "boolean",
    help: "ask at a terminal for what is missing; --no-input never asks",
    default: "true",
  },
];

/** The flags of the commands that write a project. */
export const WRITING_FLAGS: readonly Flag[] = [
  { name: "dry-run", kind: "boolean", help: "show what would change, as a diff, and write nothing", default: "false" },
  { name: "output", kind: "string", help: "form of the output", default: "text", values: ["text", "json"] },
];

/** The flag that answers the question which `--force` puts at a terminal. */
export const YES_FLAG: Flag = {
  name: "yes",
  kind: "boolean",
  help: "do not ask before changed files are replaced or deleted",
  default: "false",
};

/** The flags that name a kind. */
export const GVK_FLAGS: readonly Flag[] = [
  { name: "group", kind: "string", help: "group of the API, without the project's domain" },
  { name: "version", kind: "string", help: "version of the API, such as v1", isRequired: true },
  { name: "kind", kind: "string", help: "kind of the API, such as Guestbook", isRequired: true },
  { name: "plural", kind: "string", help: "plural of the kind, where it is irregular" },
];

/** The flags that say where the types of someone else's kind are. */
export const EXTERNAL_API_FLAGS: readonly Flag[] = [
  {
    name: "external-api-path",
    kind: "string",
    help: "module that exports the kind, when its types are someone else's",
  },
  {
    name: "external-api-domain",
    kind: "string",
    help: "domain of the group of an external kind (default: that of the project); empty, the group is written in full",
  },
  { name: "external-api-module", kind: "string", help: "npm package of an external kind, as name or name@version" },
];

/** The flags that say what stands at the top of source files. */
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
    help: "file with a block comment to put at the top of source files, in place of --license",
  },
  { name: "owner", kind: "string", help: "who holds the copyright" },
];

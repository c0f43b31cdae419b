import { CERTIFICATE_ISSUERS } from "../../project/certificates.ts";
import { PACKAGE_MANAGERS } from "../../project/package-manager.ts";
import type { CommandFlag } from "../command/define-command.ts";

/** The flags that every command takes. */
export const GLOBAL_FLAGS = [
  { name: "plugins", kind: "list", help: "keys of the plugins to run instead of the project's" },
  {
    name: "input",
    kind: "boolean",
    help: "prompt for missing values if the terminal is interactive",
    default: "true",
  },
] as const;

/** The flags of the commands that write a project. */
export const WRITING_FLAGS = [
  { name: "dry-run", kind: "boolean", help: "print the changes as a diff without writing them", default: "false" },
  { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
] as const;

/** The flag that answers the question which `--force` puts at a terminal. */
export const YES_FLAG = {
  name: "yes",
  kind: "boolean",
  help: "with --force, overwrite changed files without prompting",
  default: "false",
} as const;

/** The flag that names the package manager of a new project. */
export const PACKAGE_MANAGER_FLAG: CommandFlag & {
  readonly name: "package-manager";
  readonly values: typeof PACKAGE_MANAGERS;
} = {
  name: "package-manager",
  kind: "string",
  help: "package manager of the project (default: detected, or npm)",
  values: PACKAGE_MANAGERS,
};

/** The flag that sets where the certificates of webhooks and metrics come from. */
export const CERTIFICATES_FLAG: CommandFlag & {
  readonly name: "certificates";
  readonly values: typeof CERTIFICATE_ISSUERS;
} = {
  name: "certificates",
  kind: "string",
  help: "issuer of webhook certificates (default: the project's, or cert-manager)",
  values: CERTIFICATE_ISSUERS,
};

/** The flag that names the license at the top of source files. */
export const LICENSE_FLAG = {
  name: "license",
  kind: "string",
  help: "license in the header of source files",
  values: ["apache2", "copyright", "none"],
} as const;

/** The flags that say more of what is at the top of source files. */
export const LICENSE_TEXT_FLAGS = [
  {
    name: "license-file",
    kind: "string",
    isPath: true,
    help: "file with the header of source files; overrides --license",
  },
  { name: "owner", kind: "string", mayBeEmpty: true, help: "copyright holder in the license header" },
] as const;

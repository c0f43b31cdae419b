/** The flags of `scaffold verify`. */
export const VERIFY_FLAGS = [
  {
    name: "command",
    kind: "string",
    help: "command that starts the operator (default: the manager of the project)",
  },
  { name: "crds", kind: "list", isPath: true, help: "files and folders of CRDs" },
  { name: "samples", kind: "list", isPath: true, help: "files and folders of objects that a user creates" },
  {
    name: "roles",
    kind: "list",
    isPath: true,
    help: "files and folders of the operator's roles (default: all permissions)",
  },
  {
    name: "env",
    kind: "list",
    keepsCommas: true,
    help: "variable of the operator, NAME=value, or NAME to pass it on",
  },
  { name: "ready", kind: "string", help: "condition of a ready sample (default: Ready, or else Available)" },
  { name: "ignore", kind: "list", help: "fields that are not compared, such as secrets:data.password" },
  { name: "time", kind: "string", help: "budget of the run", default: "5m" },
  { name: "settle", kind: "string", help: "time that the operator has to reach a state", default: "20s" },
  { name: "seed", kind: "string", help: "seed of uids and generated names", default: "1" },
  {
    name: "kubernetes",
    kind: "string",
    help: "minor version of Kubernetes, such as 1.36 (default: that of the project)",
  },
  { name: "findings", kind: "string", isPath: true, help: "folder of findings", default: "findings" },
  { name: "baseline", kind: "string", isPath: true, help: "file of known violations, which are no findings" },
  {
    name: "update-baseline",
    kind: "boolean",
    help: "write the violations of all findings to the baseline",
    default: "false",
  },
  { name: "report", kind: "string", isPath: true, help: "file for a report in Markdown" },
  { name: "replay", kind: "string", isPath: true, help: "repeat the finding in a file" },
  {
    name: "output",
    kind: "string",
    help: "output format; json prints one event per line",
    default: "text",
    values: ["text", "json"],
  },
] as const;

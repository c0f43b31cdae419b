/** The flags of `scaffold rehearse`. */
export const REHEARSE_FLAGS = [
  {
    name: "from",
    kind: "string",
    isRequired: true,
    help: "former version: a commit, branch, or tag, or a folder such as ../v1",
  },
  {
    name: "samples",
    kind: "list",
    isPath: true,
    help: "files and folders of objects that a user creates (default: config/samples of the former version)",
  },
  { name: "objects", kind: "list", isPath: true, help: "files and folders of further objects" },
  {
    name: "env",
    kind: "list",
    keepsCommas: true,
    help: "variable of both managers, NAME=value, or NAME to pass it on",
  },
  { name: "ready", kind: "string", help: "condition of a ready object (default: Ready, or else Available)" },
  { name: "accept", kind: "list", help: "oracles whose violations are intended, such as restarted-pod" },
  { name: "overlap", kind: "string", help: "time that both versions run together", default: "3s" },
  { name: "settle", kind: "string", help: "time that the operator has to reach a state", default: "20s" },
  { name: "seed", kind: "string", help: "seed of uids and generated names", default: "1" },
  {
    name: "kubernetes",
    kind: "string",
    help: "minor version of Kubernetes, such as 1.36 (default: that of the project)",
  },
  { name: "report", kind: "string", isPath: true, help: "file for a report in Markdown" },
  {
    name: "output",
    kind: "string",
    help: "output format; json prints one event per line",
    default: "text",
    values: ["text", "json"],
  },
] as const;

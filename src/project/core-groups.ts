// The groups that a cluster serves itself; a value of `k8s.io` is the domain the group is under.
const DOMAIN_OF_GROUP: Readonly<Record<string, string>> = {
  admission: "k8s.io",
  admissionregistration: "k8s.io",
  apiextensions: "k8s.io",
  apps: "",
  auditregistration: "k8s.io",
  authentication: "k8s.io",
  authorization: "k8s.io",
  autoscaling: "",
  batch: "",
  certificates: "k8s.io",
  coordination: "k8s.io",
  core: "",
  discovery: "k8s.io",
  events: "k8s.io",
  extensions: "",
  imagepolicy: "k8s.io",
  metrics: "k8s.io",
  networking: "k8s.io",
  node: "k8s.io",
  policy: "",
  "rbac.authorization": "k8s.io",
  scheduling: "k8s.io",
  setting: "k8s.io",
  storage: "k8s.io",
};

/** Returns the domain of a group that every cluster serves, or nothing for a group of an external project. */
export function coreGroupDomain(group: string): string | undefined {
  return DOMAIN_OF_GROUP[group];
}

/** Returns the group whose types are in a folder of the module, such as `rbac`, and its domain; nothing for a group of an external project. */
export function coreGroupOfModule(folder: string): { readonly group: string; readonly domain: string } | undefined {
  const found = Object.entries(DOMAIN_OF_GROUP).find(([group]) => group.split(".")[0] === folder);
  return found === undefined ? undefined : { group: found[0], domain: found[1] };
}

/** Returns the module that exports the types of a built-in group and version. */
export function coreTypesModule(group: string, version: string): string {
  return `@kubescaffold/k8s/${group.split(".")[0] ?? group}/${version}`;
}

import {
  type CreateApiOptions,
  namesOf,
  type ResourceNames,
  type Scaffold,
  type ScaffoldContext,
} from "kubescaffold/plugin";

const ROLES = ["admin", "editor", "viewer"];

/** Writes what belongs to a CRD: its place in `config/crd`, three roles for people, and a sample. */
export const createApi: Scaffold<CreateApiOptions> = (context, { resource, writesResource, force }) => {
  if (!writesResource) return;
  const names = namesOf(context.project, resource);
  const values = valuesOf(context, names);
  const paths = { prefix: names.groupPrefix, kind: names.kindLower, sample: names.sampleName };
  // Kustomizations are for all kinds, and roles for all versions of a kind: the first call makes them.
  const isSample = (path: string): boolean => path.endsWith(`/${names.sampleName}`);
  const isRole = (path: string): boolean => path.startsWith("config/rbac/");
  context.renderTemplates("api", {
    values,
    paths,
    ifExists: (path) => {
      if (force && (isSample(path) || isRole(path))) return "overwrite";
      return isSample(path) ? "error" : "skip";
    },
  });
  insertEntries(context, names);
};

function valuesOf({ project }: ScaffoldContext, names: ResourceNames): Readonly<Record<string, unknown>> {
  return {
    projectName: project.projectName ?? "",
    qualifiedGroup: names.qualifiedGroup,
    version: names.version,
    kind: names.kind,
    kindLower: names.kindLower,
    plural: names.plural,
    roleKind: project.namespaced === true ? "Role" : "ClusterRole",
    roleName: `${names.groupPrefix.replace(/_$/u, "-")}${names.kindLower}`,
  };
}

function insertEntries({ insert, enable }: ScaffoldContext, names: ResourceNames): void {
  insert({
    path: "config/crd/kustomization.yaml",
    marker: "crdkustomizeresource",
    lines: [`- bases/${names.crdBase}`],
  });
  insert({
    path: "config/samples/kustomization.yaml",
    marker: "manifestskustomizesamples",
    lines: [`- ${names.sampleName}`],
  });
  // Inserted one by one, so that an existing line is not inserted again with a new one.
  for (const role of ROLES) {
    insert({
      path: "config/rbac/kustomization.yaml",
      marker: "rbackustomizeresource",
      lines: [`- ${names.groupPrefix}${names.kindLower}_${role}_role.yaml`],
    });
  }
  enable("config/default/kustomization.yaml", ["- ../crd"]);
}

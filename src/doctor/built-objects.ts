import { buildKustomization } from "../kustomize/build.ts";
import { KustomizationError } from "../kustomize/errors.ts";
import { documentsIn, type ReadFile } from "../kustomize/kustomization.ts";
import { type Json, type Manifest, nameOf, namespaceOf, textAt } from "../kustomize/manifest.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { Finding } from "./project-files.ts";

const FOLDER = "config/default";
const ROLES = "config/rbac/role.yaml";
const GUIDE = "docs/guides/several-namespaces.md";

/** Builds `config/default` as kustomize does, and returns why it cannot be built, or which Roles do not end up where their markers place them. */
export function diagnoseBuild(read: ReadFile, { projectName = "" }: ProjectConfig): readonly Finding[] {
  if (read(`${FOLDER}/kustomization.yaml`) === undefined) return [];
  try {
    const objects = buildKustomization(read, FOLDER);
    return documentsIn(read(ROLES) ?? "", ROLES).flatMap((role) =>
      misplacedRole(role, { objects, ownNamespace: `${projectName}-system` }),
    );
  } catch (error) {
    if (!(error instanceof KustomizationError)) throw error;
    if (error.isUnsupported) return [];
    return [
      {
        severity: "error",
        path: error.place,
        message: `${FOLDER} cannot be built: ${error.problem}`,
        hint: hintFor(error.problem),
      },
    ];
  }
}

function hintFor(problem: string): string {
  const fix = `fix the file; kubectl kustomize ${FOLDER} builds the same objects`;
  return problem.includes(" Role ")
    ? `give the Roles of each namespace their own roleName in the +kubebuilder:rbac markers, as ${GUIDE} describes`
    : fix;
}

function misplacedRole(
  role: Json,
  { objects, ownNamespace }: { readonly objects: readonly Manifest[]; readonly ownNamespace: string },
): readonly Finding[] {
  if (textAt(role, "kind") !== "Role") return [];
  const [name, namespace] = [textAt(role, "metadata", "name"), textAt(role, "metadata", "namespace")];
  if (namespace === "") return [];
  // Its name has a prefix, or a suffix.
  const built = objects.filter((each) => each.kind === "Role" && nameOf(each).includes(name));
  const [closest] = built.toSorted((left, right) => nameOf(left).length - nameOf(right).length);
  if (closest === undefined) return [];
  const place = namespaceOf(closest);
  // It goes where the manager goes.
  if (place !== namespace && namespace !== ownNamespace)
    return [
      finding(
        `the Role ${name} of namespace ${namespace} is moved to ${place}`,
        `place it with a transformer in ${FOLDER}, as ${GUIDE} describes`,
      ),
    ];
  const isBound = objects.some(
    (each) =>
      each.kind === "RoleBinding" &&
      namespaceOf(each) === place &&
      textAt(each, "roleRef", "kind") === "Role" &&
      textAt(each, "roleRef", "name") === nameOf(closest),
  );
  if (isBound) return [];
  return [
    finding(
      `the Role ${name} has no RoleBinding in namespace ${place}`,
      `add one to config/rbac, and place it in the namespace, as ${GUIDE} describes`,
    ),
  ];
}

function finding(message: string, hint: string): Finding {
  return { severity: "error", path: ROLES, message, hint };
}

import type { GoFiles } from "./go-files.ts";

/** The paths of the generated manifests of a project. */
export interface ManifestPlaces {
  /** The folder of the CRDs, with a slash at the end. */
  readonly crds: string;
  readonly role: string;
  readonly webhooks: string;
}

/**
 * Finds the generated manifests of a project.
 *
 * Guarantees: the paths that kubebuilder scaffolds win; where they do not exist, a single folder of the same name deeper in `config` is used, such as
 * `config/components/crd/bases`, and for roles a single `rbac/role.yaml` or `rbac/clusterrole.yaml` outside of it.
 */
export function findManifests({ paths, crds }: Pick<GoFiles, "paths" | "crds">): ManifestPlaces {
  const below = (usual: string, pattern: RegExp): string => {
    if (paths.some((path) => path.startsWith(usual))) return usual;
    const found = new Set(paths.flatMap((path) => pattern.exec(path)?.[0] ?? []));
    const [only] = found;
    return found.size === 1 && only !== undefined ? only : usual;
  };
  return {
    crds: crds ?? below("config/crd/bases/", /^config\/(?:[^/]+\/)+crd\/bases\//u),
    role: roleIn(below("config/rbac/role.yaml", /^config\/(?:[^/]+\/)+rbac\/role\.yaml$/u), paths),
    webhooks: below("config/webhook/manifests.yaml", /^config\/(?:[^/]+\/)+webhook\/manifests\.yaml$/u),
  };
}

// A project that no kubebuilder scaffolded may have its role in a folder of manifests of any name.
const OTHER_ROLE = /^(?!(?:charts?|config|docs?|examples?|hack|tests?)\/)(?:[^/]+\/)*rbac\/(?:cluster_?)?role\.ya?ml$/u;

function roleIn(usual: string, paths: readonly string[]): string {
  if (paths.includes(usual)) return usual;
  const [only, ...others] = paths.filter((path) => OTHER_ROLE.test(path));
  return only !== undefined && others.length === 0 ? only : usual;
}

/** Reports whether generators write a file. */
export function isGenerated(path: string, { crds, role, webhooks }: ManifestPlaces): boolean {
  return path.startsWith(crds) || path === role || path === webhooks;
}

import type { GoFiles } from "./go-files.ts";
import { isComponentConfig } from "./leader-election.ts";
import type { NotMapped } from "./plan-project.ts";

interface OldPart {
  readonly what: string;
  readonly isPart: (path: string) => boolean;
  readonly why: string;
}

const OLD_PARTS: readonly OldPart[] = [
  {
    what: "kube-rbac-proxy",
    isPart: (path) => path.startsWith("config/") && /\/(?:manager_)?auth_proxy_[^/]+\.yaml$/u.test(path),
    why: "the manager authenticates and authorizes requests for metrics itself; config/rbac/metrics_*.yaml replace its roles",
  },
  {
    what: "component config",
    isPart: (path) => isComponentConfig(path) || path === "config/default/manager_config_patch.yaml",
    why: "the manager has flags instead; set them in config/manager/manager.yaml",
  },
  {
    what: "OLM bundle",
    isPart: (path) => /^(?:bundle\/|bundle\.Dockerfile$|config\/manifests\/|config\/scorecard\/)/u.test(path),
    why: "bundles of the Operator Lifecycle Manager are not scaffolded; keep using operator-sdk for them",
  },
];

/** Lists what older layouts and operator-sdk scaffold and the new project does not have. */
export function oldPartNotes({ paths }: Pick<GoFiles, "paths">): readonly NotMapped[] {
  return OLD_PARTS.flatMap(({ what, isPart, why }) => {
    const found = paths.filter((path) => isPart(path));
    const [first] = found;
    if (first === undefined) return [];
    const more = found.length === 1 ? "" : ` and ${found.length - 1} more`;
    return [{ what: `${what} (${first}${more})`, why }];
  });
}

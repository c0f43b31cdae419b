import type { Schema } from "@kubescaffold/generators/importer";
import { asList, isRecord } from "@kubescaffold/platform";

import type { GoFiles } from "./go-files.ts";
import { isComponentConfig } from "./leader-election.ts";
import type { NotMapped } from "./plan-project.ts";

// The parts of config/default that layouts v2 and v3 scaffold under names that layout v4 no longer has.
const PROXY_PATCH = "manager_auth_proxy_patch.yaml";
const METRICS = { resource: "metrics_service.yaml", patch: "manager_metrics_patch.yaml" };
// Replacements and flags of the new project do their work.
const REPLACED_PATCHES = new Set([PROXY_PATCH, "webhookcainjection_patch.yaml", "manager_config_patch.yaml"]);
const REPLACED_VARS = new Set(["CERTIFICATE_NAMESPACE", "CERTIFICATE_NAME", "SERVICE_NAMESPACE", "SERVICE_NAME"]);

/** Returns a kustomization of an older layout with the fields of layout v4: `resources` for `bases`, `patches` for `patchesStrategicMerge`. */
export function withCurrentFields(document: Schema): Schema {
  const { bases, patchesStrategicMerge, vars, ...rest } = document;
  if (bases === undefined && patchesStrategicMerge === undefined && vars === undefined) return document;
  const old = asList(patchesStrategicMerge);
  const hasProxy = old.includes(PROXY_PATCH);
  const patches = old.filter((patch) => typeof patch !== "string" || !REPLACED_PATCHES.has(patch));
  const otherVars = asList(vars).filter((each) => !(isRecord(each) && REPLACED_VARS.has(String(each["name"]))));
  return {
    ...rest,
    resources: [...asList(bases), ...asList(rest["resources"]), ...(hasProxy ? [METRICS.resource] : [])],
    patches: [
      ...asList(rest["patches"]),
      ...(hasProxy ? [METRICS.patch] : []).map((path) => ({ path })),
      ...patches.map((patch) => ({ path: patch })),
    ],
    ...(otherVars.length === 0 ? {} : { vars: otherVars }),
  };
}

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

import { isRecord, type Schema } from "../importer/normal-form.ts";

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
  const old = listOf(patchesStrategicMerge);
  const hasProxy = old.includes(PROXY_PATCH);
  const patches = old.filter((patch) => typeof patch !== "string" || !REPLACED_PATCHES.has(patch));
  const otherVars = listOf(vars).filter((each) => !(isRecord(each) && REPLACED_VARS.has(String(each["name"]))));
  return {
    ...rest,
    resources: [...listOf(bases), ...listOf(rest["resources"]), ...(hasProxy ? [METRICS.resource] : [])],
    patches: [
      ...listOf(rest["patches"]),
      ...(hasProxy ? [METRICS.patch] : []).map((path) => ({ path })),
      ...patches.map((patch) => ({ path: patch })),
    ],
    ...(otherVars.length === 0 ? {} : { vars: otherVars }),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

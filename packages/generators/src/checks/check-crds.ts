import type { CheckInput } from "../contract/generator.ts";
import { crdNames } from "../crd/generate-crds.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { checkRulesOf } from "./cel-check.ts";
import { checkConflicts, checkNames } from "./check-names.ts";
import { checkEmbeddedMetadata, checkSchemas } from "./check-schemas.ts";
import { checkValues } from "./check-values.ts";
import { checkSize } from "./crd-size.ts";
import { type CrdView, versionsOf, type VersionView, viewsOf } from "./crd-view.ts";
import type { Finding } from "./finding.ts";
import { checkRelaxMarkers, diagnosticOf, readRelaxOption, relaxationOf } from "./relax.ts";

export { RELAXABLE_CODES } from "./relax.ts";

/**
 * Checks CRDs as a server does, and for data that a server drops silently; findings can be relaxed by their codes.
 *
 * Guarantees: parts that stem from built-in structs are not walked again for every kind.
 */
export async function checkCrds(input: CheckInput): Promise<readonly Diagnostic[]> {
  const unknown = readRelaxOption(input.options["relax"]);
  if (unknown.length > 0) return unknown;
  const relaxation = relaxationOf(input);
  const views = viewsOf(input);
  const findings: Finding[] = [...checkConflicts([...input.crds.map((crd) => crdNames(crd)), ...input.cachedCrds])];
  for (const view of views) findings.push(...(await checkOne(view)));
  const diagnostics = findings.map((finding) => diagnosticOf(finding, relaxation)).filter((each) => each !== undefined);
  return [...(relaxation.hasMarkers ? checkRelaxMarkers(input.marked) : []), ...diagnostics];
}

async function checkOne(view: CrdView): Promise<readonly Finding[]> {
  return [
    ...checkNames(view),
    ...(await checkPathsOf(view)),
    ...(await checkSchemas(view)),
    ...checkValues(view),
    ...checkEmbeddedMetadata(view),
    ...checkSize(view),
    ...(await checkRulesOf(view)),
  ];
}

// Most kinds name no paths; the rules of those that do are the servers' own, which are loaded for them alone.
async function checkPathsOf(view: CrdView): Promise<readonly Finding[]> {
  if (!versionsOf(view).some(({ version }) => namesPaths(version))) return [];
  const { checkPaths } = await import("./check-paths.ts");
  return checkPaths(view);
}

function namesPaths({ columns, selectableFields, subresources }: VersionView["version"]): boolean {
  return columns.length > 0 || selectableFields.length > 0 || subresources?.scale !== undefined;
}

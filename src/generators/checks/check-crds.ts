import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CheckInput } from "../generator.ts";
import { checkRulesOf } from "./cel-check.ts";
import { checkNames } from "./check-names.ts";
import { checkPaths } from "./check-paths.ts";
import { checkSchemas } from "./check-schemas.ts";
import { checkSize } from "./crd-size.ts";
import { viewsOf, type CrdView } from "./crd-view.ts";
import { checkEmbeddedMetadata } from "./embedded-metadata.ts";
import type { Finding } from "./finding.ts";
import { checkConflicts } from "./name-conflicts.ts";
import { checkRelaxMarkers, diagnosticOf, readRelaxOption, relaxationOf } from "./relax.ts";

export { RELAXABLE_CODES } from "./relax.ts";

/**
 * Checks CRDs as a server would, and for what a server loses silently; findings can be relaxed by their codes.
 *
 * Guarantees: parts that stem from built-in structs are not walked again for every kind.
 */
export async function checkCrds(input: CheckInput): Promise<readonly Diagnostic[]> {
  const unknown = readRelaxOption(input.options["relax"]);
  if (unknown.length > 0) return unknown;
  const relaxation = relaxationOf(input);
  const views = viewsOf(input);
  const findings: Finding[] = [...checkConflicts(views)];
  for (const view of views) findings.push(...(await checkOne(view)));
  const diagnostics = findings.map((finding) => diagnosticOf(finding, relaxation)).filter((each) => each !== undefined);
  return [...(relaxation.hasMarkers ? checkRelaxMarkers(input.marked) : []), ...diagnostics];
}

async function checkOne(view: CrdView): Promise<readonly Finding[]> {
  return [
    ...checkNames(view),
    ...checkPaths(view),
    ...(await checkSchemas(view)),
    ...checkEmbeddedMetadata(view),
    ...checkSize(view),
    ...(await checkRulesOf(view)),
  ];
}

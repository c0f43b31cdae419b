import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { printableCrd } from "../crd/crd-object.ts";
import type { CheckInput } from "../generator.ts";
import { TOOL_VERSION } from "../tool-version.ts";
import { CHECK_CODES } from "./check-codes.ts";
import { checkNames } from "./check-names.ts";
import { checkPaths } from "./check-paths.ts";
import { checkRuleSettings } from "./check-rules.ts";
import { checkSchemas } from "./check-schemas.ts";
import { checkSize } from "./crd-size.ts";
import type { CrdView } from "./crd-view.ts";
import { checkEmbeddedMetadata } from "./embedded-metadata.ts";
import type { Finding } from "./finding.ts";
import { checkConflicts } from "./name-conflicts.ts";
import { hasRules } from "./placed-rules.ts";
import { checkRelaxMarkers, diagnosticOf, readRelaxOption, relaxUses, textsOf, type Relaxation } from "./relax.ts";
import { SourceIndex } from "./source-index.ts";

/** The names that `relax` takes. */
export const RELAXABLE_CODES: readonly string[] = CHECK_CODES.map((each) => each.code);

/**
 * Checks CRDs as a server would, and for what a server loses silently; findings can be relaxed by their codes.
 *
 * Guarantees: parts that stem from built-in structs are not walked again for every kind.
 */
export async function checkCrds(input: CheckInput): Promise<readonly Diagnostic[]> {
  const unknown = readRelaxOption(input.options["relax"], RELAXABLE_CODES);
  if (unknown.length > 0) return unknown;
  const { index, relaxation } = relaxationOf(input);
  const views = input.crds.map((crd): CrdView => ({ crd, index, object: once(() => objectOf(crd, input)) }));
  const findings: Finding[] = [...checkConflicts(views)];
  for (const view of views) findings.push(...(await checkOne(view)));
  const diagnostics = findings.map((finding) => diagnosticOf(finding, relaxation)).filter((each) => each !== undefined);
  return [...(relaxation.hasMarkers ? checkRelaxMarkers(input.marked, RELAXABLE_CODES) : []), ...diagnostics];
}

async function checkOne(view: CrdView): Promise<readonly Finding[]> {
  const hasAnyRule = [...view.crd.schemas.values()].some((node) => hasRules(node));
  return [
    ...checkNames(view),
    ...checkPaths(view),
    ...(await checkSchemas(view)),
    ...checkEmbeddedMetadata(view),
    ...checkSize(view),
    ...(hasAnyRule ? checkRuleSettings(view) : []),
  ];
}

function relaxationOf({ model, marked, options }: CheckInput): {
  readonly index: () => SourceIndex;
  readonly relaxation: Relaxation;
} {
  const index = once(() => new SourceIndex(model, marked));
  const hasMarkers = relaxUses(marked).length > 0;
  return { index, relaxation: { codes: new Set(textsOf(options["relax"])), index, hasMarkers } };
}

function objectOf({ draft }: CheckInput["crds"][number], { options }: CheckInput): Readonly<Record<string, unknown>> {
  const preserve = options["deprecatedV1beta1CompatibilityPreserveUnknownFields"];
  return printableCrd(draft, {
    annotations: options["omitToolVersion"] === true ? {} : { "kubescaffold.dev/version": TOOL_VERSION },
    preserveUnknownFields: typeof preserve === "boolean" ? preserve : undefined,
  });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

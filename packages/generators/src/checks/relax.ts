import type { CheckInput } from "../contract/generator.ts";
import { errorWithoutPlace, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceLocation } from "../loader/type-model.ts";
import { nearestMarkerName } from "../markers/nearest-name.ts";
import type { MarkerUse, MarkedModel } from "../markers/read-markers.ts";
import { CHECK_CODES } from "./check-codes.ts";
import { COMPAT_CODES } from "./compat-codes.ts";
import { type Finding, once } from "./finding.ts";
import { RELEASE_CODES } from "./release-codes.ts";
import { SourceIndex } from "./source-index.ts";

/** The codes that can be relaxed: those of the checks, of differences to a former version, and of what a version of Kubernetes lacks. */
export const RELAXABLE_CODES: readonly string[] = [...CHECK_CODES, ...COMPAT_CODES, ...RELEASE_CODES].map(
  (each) => each.code,
);

const RELAX_MARKER = "kubescaffold:relax";

/** Which findings are to weigh less. */
export interface Relaxation {
  /** The codes that are relaxed for a whole run. */
  readonly codes: ReadonlySet<string>;
  readonly index: () => SourceIndex;
  /** Whether any marker relaxes anything. */
  readonly hasMarkers: boolean;
}

/** Returns what a run relaxes, by the option and by markers. */
export function relaxationOf({ model, marked, options }: Pick<CheckInput, "model" | "marked" | "options">): Relaxation {
  return {
    codes: relaxedCodes(options),
    index: once(() => new SourceIndex(model, marked)),
    hasMarkers: relaxUses(marked).length > 0,
  };
}

/** Returns the codes that the options of a generator relax for a whole run. */
export function relaxedCodes(options: CheckInput["options"]): ReadonlySet<string> {
  return new Set(textsOf(options["relax"]));
}

/** Makes a diagnostic of a finding; relaxed, an error becomes a warning, and a warning is omitted. */
export function diagnosticOf(finding: Finding, relaxation: Relaxation): Diagnostic | undefined {
  const { code, message, hint, location } = finding;
  const isRelaxed =
    relaxation.codes.has(code) || (relaxation.hasMarkers && isRelaxedByMarker(finding, relaxation.index()));
  if (isRelaxed && finding.severity === "warning") return undefined;
  const { file, line, column, length } = location;
  return { severity: isRelaxed ? "warning" : finding.severity, code, message, hint, file, line, column, length };
}

function isRelaxedByMarker({ code, owners, location }: Finding, index: SourceIndex): boolean {
  const relaxes = ({ name, value }: MarkerUse): boolean => name === RELAX_MARKER && textsOf(value).includes(code);
  const places: readonly SourceLocation[] = [...owners, location];
  return places.some((each) => {
    const place = index.placeAt(each);
    const enclosing = place === undefined ? [] : index.chainOf(place);
    return enclosing.some(({ markers }) => markers.some(relaxes)) || index.packageMarkers(each.file).some(relaxes);
  });
}

/** Reads the names of an option, each of which must be a code that can be relaxed. */
export function readRelaxOption(value: unknown): readonly Diagnostic[] {
  return textsOf(value)
    .filter((name) => !RELAXABLE_CODES.includes(name))
    .map((name) => errorWithoutPlace({ code: "CRD_RELAX_UNKNOWN", ...unknownText(name) }));
}

/** Reports names in markers that are no codes. */
export function checkRelaxMarkers({ packages, types, properties }: MarkedModel): readonly Diagnostic[] {
  const uses = relaxUses({ packages, types, properties });
  return uses.flatMap(({ value, location: { file, line, column, length } }) =>
    textsOf(value)
      .filter((name) => !RELAXABLE_CODES.includes(name))
      .map((name): Diagnostic => ({
        severity: "error",
        code: "CRD_RELAX_UNKNOWN",
        ...unknownText(name),
        file,
        line,
        column,
        length,
      })),
  );
}

function relaxUses(marked: Pick<MarkedModel, "packages" | "types" | "properties">): readonly MarkerUse[] {
  const found: MarkerUse[] = [];
  for (const holder of [marked.packages, marked.types, marked.properties])
    for (const uses of holder.values()) for (const use of uses) if (use.name === RELAX_MARKER) found.push(use);
  return found;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function unknownText(name: string): Readonly<Record<"message" | "hint", string>> {
  const nearest = nearestMarkerName(name, RELAXABLE_CODES);
  return {
    message: `cannot relax the unknown check ${JSON.stringify(name)}`,
    hint: nearest === undefined ? "docs/reference/generator-checks.md lists the checks" : `did you mean ${nearest}?`,
  };
}

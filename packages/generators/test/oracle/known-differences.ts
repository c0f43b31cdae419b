import { withoutVersion } from "../support/golden-cases.ts";
import type { Outcome } from "./go-oracle.ts";
import { LIBRARY_TYPES } from "./library-types.ts";
import { confusesEmptyLists, lostPermissions } from "./lost-permissions.ts";
import type { Declaration, Package, TypeExpression } from "./package-model.ts";

/** Two outcomes that are not the same. */
export interface Difference {
  readonly model: Package;
  readonly theirs: Outcome;
  readonly ours: Outcome;
}

/** Returns the row of docs/verification/generator-differences.md that explains a difference, if one does. */
export function knownDifference(difference: Difference): string | undefined {
  return KNOWN_DIFFERENCES.find(([, explains]) => explains(difference))?.[0];
}

type Row = readonly [row: string, explains: (difference: Difference) => boolean];

/** The rows that random packages meet, each with a test of whether it explains a difference. */
export const KNOWN_DIFFERENCES: readonly Row[] = [
  ["blank-before-separator", onlyOurs(/ has a blank before "/u)],
  ["empty-bare-value", onlyOurs(/ expects a value before "/u)],
  ["bound-not-decimal", onlyOurs(/validation:(?:items:)?(?:Minimum|Maximum) expects a number, found "[+-]?(?:Inf|NaN|0x)/u)],
  ["struct-type-elsewhere", onlyOurs(/^GENERATE_MARKER_MISFIT: \+structType needs an object, the type here is /u)],
  ["markers-of-other-generators", refusesMarkersOfOthers],
  ["misplaced-markers", (each) => onlyTheirs(each, (error) => error.endsWith("k8s:enum must be set on a type, not a field"))],
  ["minus-after-blank", refusesMinusAfterBlank],
  ["named-bytes", refusesNamedBytes],
  ["markers-on-references", refusesMarkersOnReferences],
  ["required-known-type", ({ theirs, ours, model }) => hasRequiredKnownType(model) && sameBut(theirs, ours, MINIMUMS)],
  ["webhook-patch-empty-text", ({ model, theirs, ours }) => model.kind === "webhook" && sameBut(theirs, ours, EMPTY_TEXTS)],
  ["rbac-lost-permissions", ({ model, theirs, ours }) => model.kind === "rbac" && lostPermissions(model, theirs.output, ours.output)],
  ["rbac-no-group", ({ model, theirs, ours }) => model.kind === "rbac" && confusesEmptyLists(model, theirs.output, ours.output)],
]; // prettier-ignore

const MINIMUMS = /^ *min(?:Length|Properties): 1\n/gmu;
const EMPTY_TEXTS = /^ *(?:name|namespace): ""\n/gmu;

function onlyOurs(reason: RegExp): Row[1] {
  return ({ theirs, ours }) =>
    theirs.errors.length === 0 && ours.errors.length > 0 && ours.errors.every((each) => reason.test(each));
}

function onlyTheirs({ theirs, ours }: Difference, reason: (error: string) => boolean): boolean {
  return ours.errors.length === 0 && theirs.errors.length > 0 && theirs.errors.every((each) => reason(each));
}

function sameBut(theirs: Outcome, ours: Outcome, lines: RegExp): boolean {
  const isAccepted = theirs.errors.length === 0 && ours.errors.length === 0;
  const bare = ({ output }: Outcome): string => withoutVersion(output).replaceAll(lines, "");
  return isAccepted && bare(theirs) === bare(ours);
}

// Our generators read the markers of all, so that a wrong one is told whatever is generated.
function refusesMarkersOfOthers({ model, theirs, ours }: Difference): boolean {
  const others: Readonly<Record<Package["kind"], RegExp>> = {
    crd: /^MARKER_\w+: \+kubebuilder:(?:rbac|webhook|webhookconfiguration|object:(?:root|generate))\b/u,
    rbac: /^MARKER_\w+: \+kubebuilder:webhook(?:configuration)?\b/u,
    webhook: /^MARKER_\w+: \+kubebuilder:rbac\b/u,
  };
  return (
    theirs.errors.length === 0 && ours.errors.length > 0 && ours.errors.every((each) => others[model.kind].test(each))
  );
}

// In braces upstream guesses a negative number right and then stumbles over the blank before it.
function refusesMinusAfterBlank(difference: Difference): boolean {
  const isMeant = markersOf(difference.model).some((marker) => /[:,{;=]\s+-\s*\.?\d/u.test(marker));
  const places = difference.theirs.errors
    .filter((error) => /expected integer(?: or float)?, got "-"/u.test(error))
    .map((error) => placeOf(error));
  return isMeant && onlyTheirs(difference, (error) => places.includes(placeOf(error)) || LACKS_VERSION.test(error));
}

// A type whose markers cannot be read is omitted, which its CRD may not survive.
const LACKS_VERSION = /: CRD for [\s\S]* (?:has no storage version|does not serve any version)$/u;

function placeOf(error: string): string {
  return /^.*?:\d+:\d+: /u.exec(error)?.[0] ?? error;
}

function refusesNamedBytes(difference: Difference): boolean {
  const declarations = declarationsOf(difference.model);
  const isMeant = declarations.some((each) => each.kind === "named" && isBytes(each.type));
  const reason = /conflicting types in allOf branches in schema: (?:string vs array|array vs string)$/u;
  return isMeant && onlyTheirs(difference, (error) => reason.test(error));
}

function isBytes(type: TypeExpression): boolean {
  return type.kind === "basic" && type.name === "bytes";
}

const NEEDS: readonly (readonly [reason: RegExp, marker: RegExp])[] = [
  [/must apply (minlength|maxlength|pattern) to a textual value, found type ""/u, /:(?:MinLength|MaxLength|Pattern)\b/u],
  [/must apply (?:minimum|maximum|exclusiveminimum|exclusivemaximum|multipleof) to a numeric value, found $/u, /:(?:Exclusive)?(?:Minimum|Maximum)\b|:MultipleOf\b|k8s:m/u],
  [/must apply (?:minproperties|maxproperties) to an object$/u, /:(?:Min|Max)Properties\b/u],
  [/must apply (?:minitems|maxitem|uniqueitems) to an array$/u, /:(?:Min|Max|Unique)Items\b|k8s:maxItems/u],
  [/must apply kubebuilder:validation:items:\w+ to an array value, found (?:array)?$/u, /:items:/u],
  [/must apply mapType to an object$/u, /\bmapType\b/u],
]; // prettier-ignore

// Upstream applies markers of a use before it knows what the name stands for; ours follow the name first.
function refusesMarkersOnReferences(difference: Difference): boolean {
  const markers = markersOnReferences(difference.model);
  return onlyTheirs(difference, (error) =>
    NEEDS.some(([reason, marker]) => reason.test(error) && markers.some((each) => marker.test(each))),
  );
}

function markersOnReferences(model: Package): readonly string[] {
  return declarationsOf(model).flatMap((each) => {
    if (each.kind === "enum") return [];
    if (each.kind === "named") return isName(each.type) ? each.comment.markers : [];
    return each.fields
      .filter(({ type }) => isName(type) || (type.kind === "list" && isName(type.items)))
      .flatMap(({ comment }) => comment.markers);
  });
}

function isName({ kind }: TypeExpression): boolean {
  return kind === "reference" || kind === "library";
}

// k8s:required asks for one property at least where upstream sees only a name, which says nothing about a text or a number.
function hasRequiredKnownType(model: Package): boolean {
  const declarations = declarationsOf(model);
  return declarations.some(
    (each) =>
      each.kind === "object" &&
      each.fields.some(
        ({ type, comment }) => comment.markers.includes("+k8s:required") && isSimple(type, declarations),
      ),
  );
}

// Of names that stand for neither an object nor a list.
function isSimple(type: TypeExpression, declarations: readonly Declaration[]): boolean {
  if (type.kind === "library") return ["string", "int or string"].includes(LIBRARY_TYPES.get(type.name)?.shape ?? "");
  if (type.kind !== "reference") return false;
  return declarations.some(
    (each) =>
      each.name === type.name &&
      each.kind === "named" &&
      (each.type.kind === "basic" || isSimple(each.type, declarations)),
  );
}

function declarationsOf(model: Package): readonly Declaration[] {
  return model.kind === "crd" ? model.folders.flatMap(({ declarations }) => declarations) : [];
}

function markersOf(model: Package): readonly string[] {
  if (model.kind !== "crd") return model.files.flatMap(({ groups }) => groups.flat());
  return declarationsOf(model).flatMap((each) => [
    ...each.comment.markers,
    ...(each.kind === "object" ? each.fields.flatMap(({ comment }) => comment.markers) : []),
  ]);
}

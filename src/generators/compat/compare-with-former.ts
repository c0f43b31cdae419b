import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { kindLocation, versionsOf, viewsOf, type CrdView } from "../checks/crd-view.ts";
import { findPlace } from "../checks/finding-places.ts";
import type { Finding } from "../checks/finding.ts";
import { diagnosticOf, relaxationOf } from "../checks/relax.ts";
import { followPath } from "../checks/schema-trail.ts";
import type { CheckInput } from "../generator.ts";
import { compareDefinitions } from "./compare-definitions.ts";
import { COMPAT_CODES, type CompatCodeName } from "./compat-codes.ts";
import { asDefinition, type Definition } from "./definition.ts";
import type { Difference } from "./difference.ts";
import { readFormerDefinitions } from "./former-definitions.ts";

/** Compares the CRDs of a run with those of a former version and reports what breaks stored objects or clients, where it stands now. */
export async function compareWithFormer(former: string, input: CheckInput): Promise<readonly Diagnostic[]> {
  const read = await readFormerDefinitions(former, input);
  if (read.kind === "problem") return [read.diagnostic];
  const views = viewsOf(input);
  const current = views.map((view) => [view, asDefinition(plain(view.object()))] as const);
  const findings = current.flatMap(([view, now]) => {
    const before = now === undefined ? undefined : read.definitions.get(now.metadata.name);
    if (now === undefined || before === undefined) return [];
    return compareDefinitions(before, now).map((difference) => findingFor(difference, now, view));
  });
  const groups = new Set(current.map(([, now]) => now?.spec.group));
  const names = new Set(current.map(([, now]) => now?.metadata.name));
  const gone = [...read.definitions.values()].filter(
    ({ metadata, spec }) => groups.has(spec.group) && !names.has(metadata.name),
  );
  const relaxation = relaxationOf(input);
  return [...findings, ...gone.map((each) => removedKind(each))]
    .map((finding) => diagnosticOf(finding, relaxation))
    .filter((each) => each !== undefined);
}

function findingFor(
  { code, message, hint, version, path, markers }: Difference,
  { metadata }: Definition,
  view: CrdView,
): Finding {
  const kind = kindLocation(view);
  const of = versionsOf(view).find((each) => each.version.name === version);
  const location = of?.location ?? kind;
  const trail = followPath(of?.node ?? { origin: location }, path ?? "");
  const place = findPlace(view.index(), { trail, fallback: location, ...(markers === undefined ? {} : { markers }) });
  const subject = version === undefined ? metadata.name : `${metadata.name} ${version}`;
  return { code, severity: severityOf(code), message: `${subject}: ${message}`, hint, ...place };
}

function removedKind({ metadata, spec }: Definition): Finding {
  return {
    code: "COMPAT_CRD_REMOVED",
    severity: severityOf("COMPAT_CRD_REMOVED"),
    message: `${metadata.name}: there is no kind ${spec.names.kind} any more; deleting its CRD deletes all its objects`,
    hint: "keep the kind, or relax the check once no objects are left",
    location: { file: "", line: 0, column: 0, length: 0 },
    owners: [],
  };
}

function severityOf(code: CompatCodeName): "error" | "warning" {
  return COMPAT_CODES.find((each) => each.code === code)?.severity ?? "error";
}

// What is compared must be plain JSON, as it is read from a file.
function plain(object: unknown): unknown {
  return JSON.parse(
    JSON.stringify(object, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  ) as unknown;
}

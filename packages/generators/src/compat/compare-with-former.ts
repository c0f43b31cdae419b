import path from "node:path";

import { messageOf } from "@kubescaffold/k8s";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { addToList } from "@kubescaffold/platform";

import { COMPAT_CODES, type CompatCodeName } from "../checks/compat-codes.ts";
import { type CrdView, kindLocation, versionsOf, viewsOf } from "../checks/crd-view.ts";
import { findPlace } from "../checks/finding-places.ts";
import type { Finding } from "../checks/finding.ts";
import { diagnosticOf, relaxationOf } from "../checks/relax.ts";
import { followPath } from "../checks/schema-trail.ts";
import type { CheckInput } from "../contract/generator.ts";
import type { DiagnosticCode } from "../diagnostics/codes.ts";
import { type Diagnostic, errorWithoutPlace } from "../diagnostics/diagnostic.ts";
import { compareDefinitions } from "./compare-definitions.ts";
import { asDefinition, type Definition } from "./definition.ts";
import type { Difference } from "./difference.ts";

/** Compares the CRDs of a run with those of a former version and reports what breaks stored objects or clients, where it stands now. */
export async function compareWithFormer(former: string, input: CheckInput): Promise<readonly Diagnostic[]> {
  const read = await readFormerDefinitions(former, input);
  if (read.kind === "problem") return [read.diagnostic];
  const views = viewsOf(input);
  const current = views.map((view) => [view, asDefinition(plain(view.object()))] as const);
  const findings = current.flatMap(([view, now]) => {
    const before = now === undefined ? undefined : read.definitions.get(now.metadata.name);
    if (now === undefined || before === undefined) return [];
    return compareDefinitions(before, now).map((difference) => causedFinding(difference, now, view));
  });
  const groups = new Set(current.map(([, now]) => now?.spec.group));
  const names = new Set(current.map(([, now]) => now?.metadata.name));
  const gone = [...read.definitions.values()].filter(
    ({ metadata, spec }) => groups.has(spec.group) && !names.has(metadata.name),
  );
  const relaxation = relaxationOf(input);
  const all = [...findings, ...gone.map((each) => ({ finding: removedKind(each), cause: undefined }))];
  return groupByCause(
    all.flatMap(({ finding, cause }) => {
      const diagnostic = diagnosticOf(finding, relaxation);
      return diagnostic === undefined ? [] : [{ diagnostic, cause }];
    }),
  );
}

/** What is reported, and what it has in common with others of the same cause; undefined for what stands alone. */
interface Caused<T> {
  readonly finding: T;
  readonly cause: string | undefined;
}

// A marker of a type shows wherever the type is used: one finding for the marker says how often.
function groupByCause(
  all: readonly { readonly diagnostic: Diagnostic; readonly cause: string | undefined }[],
): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const [index, { diagnostic, cause = String(index) }] of all.entries()) {
    addToList(groups, cause, diagnostic);
  }
  return [...groups.values()].flatMap(([first, ...others]): readonly Diagnostic[] => {
    if (first === undefined || others.length === 0) return first === undefined ? [] : [first];
    const more = others.length === 1 ? "1 more place" : `${String(others.length)} more places`;
    return [{ ...first, message: `${first.message}, and the same in ${more}` }];
  });
}

function causedFinding(difference: Difference, now: Definition, view: CrdView): Caused<Finding> {
  const { finding, marker } = findingFor(difference, now, view);
  const { file, line, column } = finding.location;
  // Without a marker, two findings of one place may be about different fields.
  if (marker === undefined || difference.path === undefined) return { finding, cause: undefined };
  return { finding, cause: JSON.stringify([difference.code, file, line, column, difference.hint]) };
}

function findingFor(
  { code, message, hint, version, path, markers }: Difference,
  { metadata }: Definition,
  view: CrdView,
): { readonly finding: Finding; readonly marker: unknown } {
  const kind = kindLocation(view);
  const of = versionsOf(view).find((each) => each.version.name === version);
  const location = of?.location ?? kind;
  const trail = followPath(of?.node ?? { origin: location }, path ?? "");
  const place = findPlace(view.index(), { trail, fallback: location, ...(markers === undefined ? {} : { markers }) });
  const subject = version === undefined ? metadata.name : `${metadata.name} ${version}`;
  const { location: at, owners, marker } = place;
  const finding = { code, severity: severityOf(code), message: `${subject}: ${message}`, hint, location: at, owners };
  return { finding, marker };
}

function removedKind({ metadata, spec }: Definition): Finding {
  return {
    code: "COMPAT_CRD_REMOVED",
    severity: severityOf("COMPAT_CRD_REMOVED"),
    message: `${metadata.name}: the kind ${spec.names.kind} was removed; deleting its CRD deletes all its objects`,
    hint: "keep the kind, or relax the check when no objects remain",
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

/** The CRDs of a former version, by their names, or why they cannot be read. */
type FormerDefinitions =
  | { readonly kind: "definitions"; readonly definitions: ReadonlyMap<string, Definition> }
  | { readonly kind: "problem"; readonly diagnostic: Diagnostic };

interface FormerFile {
  readonly name: string;
  readonly text: string;
}

/** Reads the CRDs of a folder, a file, or a commit: `v1.2.0` has those of the output folder, `v1.2.0:config/crd/bases` those of another. */
async function readFormerDefinitions(former: string, input: CheckInput): Promise<FormerDefinitions> {
  const { host, root } = input;
  const place = path.resolve(root, former);
  const kind = host.kindOf(place);
  if (kind === "file") return parse([{ name: former, text: host.readFile(place) ?? "" }], former);
  const files = kind === "directory" ? filesOf(place, input) : [];
  if (files.length > 0) return parse(files, former);
  // A folder of sources may be called like a tag, such as v1.
  const ofCommit = await readRevision(former, input);
  const isUnknown = ofCommit.kind === "problem" && ofCommit.diagnostic.code === "COMPAT_FORMER_MISSING";
  return kind === "directory" && isUnknown ? parse([], former) : ofCommit;
}

function filesOf(folder: string, { host }: CheckInput): readonly FormerFile[] {
  const names = (host.listDirectory(folder) ?? []).filter((each) => each.kind === "file").map((each) => each.name);
  return names.filter(isManifest).map((name) => ({ name, text: host.readFile(path.join(folder, name)) ?? "" }));
}

async function readRevision(former: string, { revisions, outputFolder }: CheckInput): Promise<FormerDefinitions> {
  const colon = former.indexOf(":");
  const revision = colon === -1 ? former : former.slice(0, colon);
  const folder = colon === -1 ? outputFolder : former.slice(colon + 1);
  if (folder === undefined) {
    const hint = `write compat=${revision}:config/crd/bases, with the folder of the CRDs in that commit`;
    return problem("COMPAT_NO_FOLDER", "cannot compare with a commit: the CRDs are not written to a folder", hint);
  }
  const read = await revisions?.readFolder(revision, folder);
  if (read?.kind === "files")
    return parse(
      read.files.filter(({ name }) => isManifest(name)),
      `${folder} at ${revision}`,
    );
  const reason = read === undefined ? "no such folder" : read.reason;
  const hint = "specify a folder or file with CRDs, or a git commit, branch, or tag";
  return problem("COMPAT_FORMER_MISSING", `cannot compare with ${JSON.stringify(former)}: ${reason}`, hint);
}

function parse(files: readonly FormerFile[], what: string): FormerDefinitions {
  const definitions = new Map<string, Definition>();
  for (const { name, text } of files) {
    try {
      for (const document of readYamlDocuments(text)) {
        const definition = asDefinition(document);
        if (definition !== undefined) definitions.set(definition.metadata.name, definition);
      }
    } catch (error) {
      const reason = messageOf(error);
      return problem(
        "COMPAT_FORMER_UNREADABLE",
        `cannot read ${name} of ${what}: ${reason}`,
        "fix the file, or specify another earlier version",
      );
    }
  }
  if (definitions.size > 0) return { kind: "definitions", definitions };
  const hint = "specify the folder of the CRDs, with files that end in .yaml, .yml, or .json";
  return problem(
    "COMPAT_FORMER_EMPTY",
    `cannot compare: there is no CustomResourceDefinition of version v1 in ${what}`,
    hint,
  );
}

function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/u.test(name);
}

function problem(code: DiagnosticCode, message: string, hint: string): FormerDefinitions {
  return { kind: "problem", diagnostic: errorWithoutPlace({ code, message, hint }) };
}

import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import { withoutMemo } from "../contract/memoize-parts.ts";
import { crdGenerator } from "../crd/crd-generator.ts";
import { printableCrd } from "../crd/model/crd-object.ts";
import { loadTypes } from "../loader/load-types.ts";
import type { SourceHost } from "../loader/source-host.ts";
import { readMarkers } from "../markers/read-markers.ts";
import { loadStructs } from "../run/load-structs.ts";
import { createPlannedHost } from "../run/planned-host.ts";
import { type CrdFacts, readCrds } from "./crd-facts.ts";
import type { ImportedFile } from "./import-crds.ts";
import {
  canonicalJson,
  type Schema,
  schemaDifferences,
  type SchemaDifference,
  withoutDescriptions,
} from "./normal-form.ts";

/** How a version of a kind came out when its sources were generated from. */
export interface VersionVerdict {
  /** The API group. */
  readonly group: string;
  /** The kind. */
  readonly kind: string;
  /** The version. */
  readonly version: string;
  /** The differences of the schemas. */
  readonly differences: readonly SchemaDifference[];
  /** Names of facts beside the schema that differ. */
  readonly facts: readonly string[];
}

/** The outcome of generating from imported sources. */
export interface Verification {
  /** One verdict for each version. */
  readonly verdicts: readonly VersionVerdict[];
  /** Errors that the generator found in the sources. */
  readonly problems: readonly string[];
}

/** Generates from imported sources, in memory, and compares with the definitions they come from; descriptions may differ with `ignoresTexts`. */
export async function verifyImport(
  crds: readonly CrdFacts[],
  files: readonly ImportedFile[],
  ignoresTexts: boolean = false,
): Promise<Verification> {
  const root = path.resolve("/import");
  const host = createPlannedHost(root, files, NOTHING);
  const { model, diagnostics } = loadTypes({ host, root, paths: ["./..."] });
  const marked = readMarkers(model);
  const structSchema = await loadStructs(model);
  const output = crdGenerator({
    model,
    marked,
    structSchema,
    kubernetesVersion: KUBERNETES_MINOR,
    host,
    root,
    options: {},
    header: "",
    memoize: withoutMemo,
  });
  const objects = (output.crds ?? []).map(({ draft }) => printableCrd(draft, PLAIN));
  const made = readCrds(objects, "the generator");
  const found = new Map(made.map((crd) => [`${crd.kind}.${crd.group}`, crd]));
  const problems = [...diagnostics, ...marked.diagnostics, ...output.diagnostics].filter(
    ({ code, severity }) => severity === "error" || code.startsWith("MARKER_"),
  );
  return {
    verdicts: crds.flatMap((crd) => compareCrd(crd, found.get(`${crd.kind}.${crd.group}`), ignoresTexts)),
    problems: problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
  };
}

const PLAIN = { annotations: {}, preserveUnknownFields: undefined };

// Nothing but the imported files is there.
const NOTHING: SourceHost = {
  readFile: () => undefined,
  listDirectory: () => undefined,
  kindOf: () => "missing",
  realPath: (file) => file,
};

/** Compares a definition, version by version, with the one that was made in its place. */
export function compareCrd(
  wanted: CrdFacts,
  found: CrdFacts | undefined,
  ignoresTexts = false,
): readonly VersionVerdict[] {
  const shown = (schema: Schema): Schema => (ignoresTexts ? withoutDescriptions(schema) : schema);
  return wanted.versions.map((version) => {
    const other = found?.versions.find((each) => each.name === version.name);
    return {
      group: wanted.group,
      kind: wanted.kind,
      version: version.name,
      differences: schemaDifferences(shown(version.schema), shown(other?.schema ?? {})),
      facts:
        found === undefined || other === undefined
          ? ["version"]
          : [...differing(wanted, found, CRD_FACTS), ...differing(version, other, VERSION_FACTS)],
    };
  });
}

const CRD_FACTS = [
  "plural",
  "singular",
  "listKind",
  "scope",
  "shortNames",
  "categories",
  "labels",
  "annotations",
] as const;
const VERSION_FACTS = [
  "served",
  "storage",
  "deprecated",
  "deprecationWarning",
  "columns",
  "selectableFields",
  "hasStatus",
  "scale",
] as const;

function differing<Facts, Key extends keyof Facts & string>(
  wanted: Facts,
  found: Facts,
  keys: readonly Key[],
): readonly string[] {
  return keys.filter((key) => canonicalJson(wanted[key]) !== canonicalJson(found[key]));
}

import { structSchema } from "@kubescaffold/k8s/tables";

import { TYPE_META_PROPERTIES } from "../../src/crd/model/known-schemas.ts";
import { type CrdFacts, readCrds } from "../../src/importer/crd-facts.ts";
import { importCrds, type ImportResult } from "../../src/importer/import-crds.ts";
import { type Verification, verifyImport } from "../../src/importer/verify-import.ts";

/** A schema or a part of a manifest, as a test writes it. */
export type Sample = Readonly<Record<string, unknown>>;

const GIVEN = { ...TYPE_META_PROPERTIES, metadata: { type: "object" } };

/** Makes the manifest of a definition of the kind Thing, with a schema for its `spec`. */
export function crdOf(spec: Sample, more: Sample = {}): Sample {
  return crdOfRoot({ type: "object", properties: { ...GIVEN, spec } }, more);
}

/** Makes the manifest of a definition with a schema for the whole object. */
export function crdOfRoot(openAPIV3Schema: Sample, more: Sample = {}): Sample {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...more }],
    },
  };
}

/** What became of definitions that were imported and generated again. */
export interface RoundTrip extends Verification {
  readonly crds: readonly CrdFacts[];
  readonly result: ImportResult;
  /** The text of the types of the first kind. */
  readonly types: string;
}

/** Imports definitions and generates from what was written. */
export async function roundTrip(
  manifests: readonly unknown[],
  options: { readonly losesTexts?: boolean } = {},
): Promise<RoundTrip> {
  const crds = readCrds(manifests, "the test");
  const result = importCrds({ crds, structSchema, folderOf: (group, version) => `${group}/${version}`, ...options });
  const verification = await verifyImport(crds, result.files);
  const types = result.files.find(({ kind }) => kind === "types")?.content ?? "";
  return { ...verification, crds, result, types };
}

/** Returns what differs after a round trip, in one list; empty when nothing does. */
export function faultsOf({ verdicts, problems }: Verification): readonly unknown[] {
  return [...problems, ...verdicts.flatMap(({ facts, differences }) => [...facts, ...differences])];
}

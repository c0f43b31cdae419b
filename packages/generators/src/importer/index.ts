/**
 * The inverse of the generators: {@link importCrds} generates TypeScript sources from CustomResourceDefinitions, and {@link verifyImport} runs the
 * generators on the sources and compares the results with the originals.
 */
export { type CrdFacts, type CrdVersionFacts, readCrds } from "./crd-facts.ts";
export { type CrdProblem, crdProblems } from "./crd-problems.ts";
export { FolderTakenError, InvalidCrdError, InvalidCrdNamesError, KindNameError, NoCrdError } from "./errors.ts";
export {
  importCrds,
  type ImportedFile,
  type ImportOptions,
  type ImportOverride,
  type ImportResult,
} from "./import-crds.ts";
export { canonicalJson, type Schema, type SchemaDifference, withoutDescriptions } from "./normal-form.ts";
export { compareCrd, type Verification, verifyImport, type VersionVerdict } from "./verify-import.ts";

/**
 * Generates CustomResourceDefinitions, RBAC, webhook configurations, and code from TypeScript types with markers, as controller-gen does from Go
 * types. {@link runGenerators} reads sources from a {@link SourceHost}, by default the disk, and returns files, which it never writes.
 */
export type { RevisionFiles, RevisionReader } from "./contract/generator.ts";
export { createDiskHost, type DirectoryEntry, type SourceHost } from "./loader/source-host.ts";
export { normalizeRules, type RbacRule } from "./rbac/normalize-rules.ts";
export { type GeneratedFile } from "./run/place-artifacts.ts";
export { type GenerateOptions, type GenerateResult, runGenerators } from "./run/run-generators.ts";

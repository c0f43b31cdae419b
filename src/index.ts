/**
 * The programmatic side of Kubescaffold: {@link runGenerators} makes manifests from sources, {@link parseProject} and {@link printProject} read
 * and write PROJECT files, and `kubescaffold/plugin` is what plugins are made with.
 */
export { type DiagnosticCode } from "./diagnostics/codes.ts";
export { type Diagnostic } from "./diagnostics/diagnostic.ts";
export { type GeneratedFile } from "./generators/place-artifacts.ts";
export { type GenerateOptions, type GenerateResult, runGenerators } from "./generators/run-generators.ts";
export { ProjectInvalidError, ProjectVersionError } from "./project/errors.ts";
export { type ProjectConfig, type ProjectResource } from "./project/project-config.ts";
export { parseProject, type ParseProjectOptions, printProject } from "./project/project-file.ts";

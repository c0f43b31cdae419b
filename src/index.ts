/**
 * Reads and writes PROJECT files: {@link parseProject} and {@link printProject}. `kubescaffold/plugin` is for writing plugins, and
 * `@kubescaffold/generators` generates manifests from sources.
 */
export { ProjectInvalidError, ProjectVersionError } from "./project/errors.ts";
export { type ProjectConfig, type ProjectResource } from "./project/project-config.ts";
export { parseProject, type ParseProjectOptions, printProject } from "./project/project-file.ts";

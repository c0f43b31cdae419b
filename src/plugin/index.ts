/**
 * The contract between Kubescaffold and its plugins: a plugin is an object made by {@link definePlugin} that lists what it can do, each of its
 * functions plans changes in the tree of a {@link ScaffoldContext}, and the command commits them all at once.
 */
export * from "./errors.ts";
export * from "./flag.ts";
export { quotedText, stringLiteral } from "./literals.ts";
export * from "./package-manifest.ts";
export * from "./plugin.ts";
export {
  parsePluginKey,
  type PluginKey,
  type PluginRegistry,
  type ResolvedPlugins,
  resolvePlugins,
  shortKeyOf,
} from "./registry.ts";
export {
  compiledTemplates,
  createScaffoldContext,
  type RenderOptions,
  type ScaffoldContext,
  type TemplateSource,
} from "./scaffold-context.ts";
export * from "./text-templates.ts";
export { buildKustomization, manifestsIn } from "./kustomizations.ts";
export { KustomizationError } from "../kustomize/errors.ts";
export type { ReadFile } from "../kustomize/kustomization.ts";
export * from "../kustomize/manifest.ts";
export { type ImageParts, splitImage } from "../kustomize/workloads.ts";
export { FileTree, type FileAction, type IfExists, type ProjectReader } from "../machinery/file-tree.ts";
export { containsLines, type Fragment } from "../machinery/insertion-points.ts";
export type { TypeMarker } from "../machinery/type-markers.ts";
export type { CompiledTemplate, Template, TemplateValues } from "../machinery/template.ts";
export { certificateIssuerOf, type CertificateIssuer } from "../project/certificates.ts";
export { namesOfPlugin } from "../project/kubectl-plugins.ts";
export { addMissingKeys, type CompletedText } from "../project/add-missing-keys.ts";
export { BOILERPLATE_FILE, headerOf } from "../project/boilerplate-file.ts";
export { readExactVersion } from "../project/exact-version.ts";
export type { ManagerWords } from "../project/package-manager.ts";
export { packageOfModule } from "../project/plans/plan-external.ts";
export { leaderElectionIdOf } from "../project/leader-election-id.ts";
export {
  findResource,
  type ProjectApi,
  type ProjectConfig,
  type ProjectResource,
  type ProjectWebhooks,
  qualifiedGroupOf,
} from "../project/project-config.ts";
export { STORAGE_VERSION } from "../project/storage-version.ts";
export { type WebhookNames, webhookNamesOf } from "../project/webhook-names.ts";
export { groupIdentifier, namesOf, pascalCase, type ResourceNames } from "../project/resource-names.ts";

/**
 * Builds kubectl plugins: commands with kubectl's flags, output formats, completion, and errors, and their packages for krew.
 */
export { namesOf } from "./complete.ts";
export { MissingContextError, PluginPackageError, PluginUsageError } from "./errors.ts";
export { type KrewManifestOptions, type KrewPackage, packForKrew, pluginProgramName } from "./krew-package.ts";
export {
  type CompletionCandidate,
  definePluginCommand,
  type KubectlPlugin,
  type PluginCall,
  type PluginCommand,
  type SelectedCluster,
} from "./plugin-command.ts";
export type { KubectlFlags, PluginFlag, PluginFlagValues } from "./plugin-flag.ts";
export type { ObjectList, ObjectPrinter } from "./printer.ts";
export { runKubectlPlugin, type RunPluginOptions } from "./run-kubectl-plugin.ts";
export {
  ageColumn,
  ageOf,
  conditionColumns,
  conditionsOf,
  conditionStatus,
  nameColumn,
  namespaceColumn,
  type TableColumn,
} from "./table.ts";

import path from "node:path";

/** What the place of external plugins depends on. */
export interface PluginFolderSurroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** The variable that names the one folder to look into, as upstream's program knows it. */
export const PLUGINS_PATH_VARIABLE = "EXTERNAL_PLUGINS_PATH";

/**
 * Returns the folders that external plugins are looked for in, the first one first: ours, and upstream's, so that plugins made for it are found.
 *
 * The places are upstream's: EXTERNAL_PLUGINS_PATH alone when it is set, else below XDG_CONFIG_HOME or the platform's folder for configuration.
 */
export function pluginFolders({ variables, platform, home }: PluginFolderSurroundings): readonly string[] {
  const only = variables[PLUGINS_PATH_VARIABLE] ?? "";
  if (only !== "") return [only];
  const folder = configurationFolder({ variables, platform, home });
  return ["kubescaffold", "kubebuilder"].map((program) => path.join(folder, program, "plugins"));
}

function configurationFolder({ variables, platform, home }: PluginFolderSurroundings): string {
  const configured = variables["XDG_CONFIG_HOME"] ?? "";
  if (configured !== "") return configured;
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  if (platform === "win32") return variables["APPDATA"] ?? path.join(home, "AppData", "Roaming");
  return path.join(home, ".config");
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Returns how long an external plugin may take: KUBESCAFFOLD_PLUGIN_TIMEOUT_SECONDS, or a minute. */
export function pluginTimeoutMs(variables: Readonly<Record<string, string | undefined>>): number {
  const seconds = Number(variables["KUBESCAFFOLD_PLUGIN_TIMEOUT_SECONDS"] ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : DEFAULT_TIMEOUT_MS;
}

import type { ContainerConfig, HistoryEntry, ImageConfig } from "./manifest.ts";

/** How an image differs from its base, but for its files. */
export interface ImageSettings {
  readonly user?: string;
  readonly workingDirectory?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly stopSignal?: string;
  readonly healthcheck?: object;
}

/** What was put on a base. */
export interface AddedLayer {
  readonly diffId: string;
  readonly created: string;
  readonly createdBy: string;
}

/** Returns the configuration of an image: that of its base, with settings and a layer more. */
export function extendConfig(base: ImageConfig, settings: ImageSettings, layer: AddedLayer): ImageConfig {
  const entry: HistoryEntry = { created: layer.created, created_by: layer.createdBy };
  return {
    ...base,
    created: layer.created,
    config: containerConfig(base.config ?? {}, settings),
    rootfs: { ...base.rootfs, diff_ids: [...base.rootfs.diff_ids, layer.diffId] },
    history: [...(base.history ?? []), entry],
  };
}

// Its own entry point ends the validity of the base's command, as in a Dockerfile.
function containerConfig(base: ContainerConfig, settings: ImageSettings): ContainerConfig {
  const { user, workingDirectory, entrypoint, stopSignal, healthcheck } = settings;
  const { Cmd: inherited, ...kept } = base;
  const command = settings.command ?? (entrypoint === undefined ? inherited : undefined);
  const ports = { ...base.ExposedPorts, ...Object.fromEntries(settings.ports.map((port) => [port, {}])) };
  const labels = sortedRecord({ ...base.Labels, ...settings.labels });
  return {
    ...kept,
    Env: extendEnvironment(base.Env ?? [], settings.environment),
    ...(user === undefined ? {} : { User: user }),
    ...(workingDirectory === undefined ? {} : { WorkingDir: workingDirectory }),
    ...(entrypoint === undefined ? {} : { Entrypoint: entrypoint }),
    ...(command === undefined ? {} : { Cmd: command }),
    ...(Object.keys(labels).length === 0 ? {} : { Labels: labels }),
    ...(Object.keys(ports).length === 0 ? {} : { ExposedPorts: sortedRecord(ports) }),
    ...(stopSignal === undefined ? {} : { StopSignal: stopSignal }),
    ...(healthcheck === undefined ? {} : { Healthcheck: healthcheck }),
  };
}

function extendEnvironment(base: readonly string[], added: Readonly<Record<string, string>>): readonly string[] {
  const values = new Map(base.map((line) => [line.split("=")[0] ?? line, line]));
  for (const [name, value] of Object.entries(added)) values.set(name, `${name}=${value}`);
  return [...values.values()];
}

function sortedRecord<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

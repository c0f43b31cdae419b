import type { ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type {
  ConfigMap,
  Container,
  DownwardAPIVolumeFile,
  Pod,
  Secret,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from "@kubescaffold/k8s/core/v1";

import { podField, resourceField } from "./downward-fields.ts";

type Files = ReadonlyMap<string, Buffer>;

// Thousands of mounts of a volume with thousands of files would fill the memory.
const MOST_FILES = 100_000;

/** Thrown for a container that cannot start; a kubelet would report `CreateContainerConfigError` with this message. */
export class ContainerConfigError extends Error {}

/** What the variables and files of a container are read from. */
export interface ConfigSource {
  readonly container: Container;
  readonly pod: Pod;
  readonly objects: ObjectReader;
  /** Issues a token of the service account of the Pod; undefined if there is none. */
  readonly tokenFor: (pod: Pod, projection: ServiceAccountTokenProjection) => string | undefined;
  /** What was read before, which many mounts share. Default: nothing. */
  readonly contents?: Map<string, Files>;
}

/** A reference to a ConfigMap or Secret. */
export interface DataReference {
  readonly kind: "configmap" | "secret";
  readonly name?: string;
  readonly optional?: boolean;
}

/** Returns the files of the volumes that a container mounts, by their absolute path. Fails: {@link ContainerConfigError}. */
export function mountedFiles(source: ConfigSource, subPathOf: (text: string) => string): Map<string, Buffer> {
  const volumes = new Map((source.pod.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  const files = new Map<string, Buffer>();
  let visited = 0;
  for (const { name, mountPath, subPath = "", subPathExpr = "" } of source.container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    const below = checkedSubPath(subPathExpr === "" ? subPath : subPathOf(subPathExpr));
    for (const [path, bytes] of volume === undefined ? [] : volumeFiles(volume, source)) {
      visited += 1;
      if (visited > MOST_FILES) throw new ContainerConfigError(`the mounts have more than ${String(MOST_FILES)} files`);
      if (below === "") files.set(joinPath(mountPath, path), bytes);
      else if (path === below) files.set(mountPath, bytes);
      else if (path.startsWith(`${below}/`)) files.set(joinPath(mountPath, path.slice(below.length + 1)), bytes);
    }
  }
  return files;
}

/** Returns why volumes that a container mounts cannot be set up, by the name of the volume. */
export function mountProblems(source: ConfigSource): ReadonlyMap<string, string> {
  const mounted = new Set((source.container.volumeMounts ?? []).map(({ name }) => name));
  const problems = new Map<string, string>();
  for (const volume of source.pod.spec?.volumes ?? []) {
    if (!mounted.has(volume.name)) continue;
    try {
      volumeFiles(volume, source);
    } catch (error) {
      if (!(error instanceof ContainerConfigError)) throw error;
      problems.set(volume.name, error.message);
    }
  }
  return problems;
}

// What was not expanded was validated with the Pod.
function checkedSubPath(path: string): string {
  if (path.startsWith("/")) throw new ContainerConfigError(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split("/").includes(".."))
    throw new ContainerConfigError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}

/** Returns the data of a ConfigMap or Secret; none if it is optional and absent. Fails: {@link ContainerConfigError}. */
export function dataOf(source: ConfigSource, reference: DataReference): Files {
  const { kind, name = "" } = reference;
  return once(source, `${kind}/${name}/${String(reference.optional)}`, () => readData(source, reference));
}

// Mounts of the same contents share them.
function once({ contents }: ConfigSource, key: string, read: () => Files): Files {
  const known = contents?.get(key) ?? read();
  contents?.set(key, known);
  return known;
}

function readData({ pod, objects }: ConfigSource, { kind, name = "", optional }: DataReference): Files {
  const resource = kind === "secret" ? "secrets" : "configmaps";
  const found = objects.get({ group: "", resource }, { namespace: pod.metadata.namespace ?? "", name });
  if (found === undefined) {
    if (optional === true) return new Map();
    throw new ContainerConfigError(`${kind} "${name}" not found`);
  }
  const { data = {}, binaryData = {} } = found as unknown as ConfigMap & Pick<Secret, "data">;
  const texts = Object.entries(data).map(([key, value]) => [key, bytesOf(value, kind)] as const);
  return new Map([
    ...texts,
    ...Object.entries(binaryData).map(([key, value]) => [key, bytesOf(value, "secret")] as const),
  ]);
}

function bytesOf(value: string, kind: DataReference["kind"]): Buffer {
  return Buffer.from(value, kind === "secret" ? "base64" : "utf8");
}

function volumeFiles(volume: Volume, source: ConfigSource): Files {
  return once(source, `volume/${volume.name}`, () => readVolume(volume, source));
}

function readVolume({ configMap, secret, projected, downwardAPI }: Volume, source: ConfigSource): Files {
  if (configMap !== undefined) return itemsOf(source, { ...configMap, kind: "configmap" });
  if (downwardAPI !== undefined) return downwardFiles(source, downwardAPI.items ?? []);
  if (secret !== undefined) {
    const { secretName: name = "", ...rest } = secret;
    return itemsOf(source, { ...rest, name, kind: "secret" });
  }
  const parts = (projected?.sources ?? []).map((each) => projectedFiles(each, source));
  return new Map(parts.flatMap((part) => [...part]));
}

function projectedFiles(
  { configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection,
  source: ConfigSource,
): Files {
  if (configMap !== undefined) return itemsOf(source, { ...configMap, kind: "configmap" });
  if (secret !== undefined) return itemsOf(source, { ...secret, kind: "secret" });
  if (downwardAPI !== undefined) return downwardFiles(source, downwardAPI.items ?? []);
  const token = serviceAccountToken === undefined ? undefined : source.tokenFor(source.pod, serviceAccountToken);
  return token === undefined ? new Map() : new Map([[serviceAccountToken?.path ?? "", Buffer.from(token)]]);
}

function downwardFiles(source: ConfigSource, items: readonly DownwardAPIVolumeFile[]): Files {
  const { container, pod, objects } = source;
  return new Map(
    items.map(({ path, fieldRef, resourceFieldRef }) => {
      if (fieldRef !== undefined) {
        const { fieldPath } = fieldRef;
        const field = once(source, `field/${fieldPath}`, () => new Map([["", Buffer.from(podField(pod, fieldRef))]]));
        return [path, field.get("") ?? Buffer.alloc(0)];
      }
      const name = resourceFieldRef?.containerName ?? container.name;
      const named = pod.spec?.containers.find((each) => each.name === name) ?? container;
      const selector = resourceFieldRef ?? { resource: "" };
      return [path, Buffer.from(resourceField(named, pod, { selector, objects }))];
    }),
  );
}

const MISSING_KEY: Readonly<Record<DataReference["kind"], string>> = {
  configmap: "configmap references non-existent config key",
  secret: "references non-existent secret key",
};

function itemsOf(
  source: ConfigSource,
  reference: DataReference & { readonly items?: readonly { readonly key: string; readonly path: string }[] },
): Files {
  const data = dataOf(source, reference);
  if (reference.items === undefined || reference.items.length === 0) return data;
  const files = new Map<string, Buffer>();
  for (const { key, path } of reference.items) {
    const bytes = data.get(key);
    if (bytes !== undefined) files.set(path, bytes);
    else if (reference.optional !== true) throw new ContainerConfigError(`${MISSING_KEY[reference.kind]}: ${key}`);
  }
  return files;
}

function joinPath(folder: string, path: string): string {
  return folder.endsWith("/") ? `${folder}${path}` : `${folder}/${path}`;
}

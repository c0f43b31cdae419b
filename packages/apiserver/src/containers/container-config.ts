import { isRecord } from "@kubescaffold/k8s";
import type { ConfigMap, Container, EnvVar, Pod, Secret, Volume } from "@kubescaffold/k8s/core/v1";

import type { ObjectReader } from "../storage/object-reader.ts";

/** Thrown for a container that cannot start; a kubelet would report `CreateContainerConfigError` with this message. */
export class ContainerConfigError extends Error {}

/** The inputs of a container's processes. */
export interface ContainerConfig {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads the variables and files of a container from its Pod, ConfigMaps, and Secrets. Fails: {@link ContainerConfigError} if one is missing. */
export function containerConfig(container: Container, pod: Pod, objects: ObjectReader): ContainerConfig {
  const source: Source = { pod, objects };
  const env = environment(container, source);
  return {
    command: (container.command ?? []).map((text) => expand(text, env)),
    args: (container.args ?? []).map((text) => expand(text, env)),
    env,
    files: mountedFiles(container, source),
  };
}

interface Source {
  readonly pod: Pod;
  readonly objects: ObjectReader;
}

function environment(container: Container, source: Source): Record<string, string> {
  const env: Record<string, string> = { HOSTNAME: source.pod.spec?.hostname ?? source.pod.metadata.name ?? "" };
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const data =
      configMapRef === undefined
        ? dataOf(source, { kind: "secret", ...secretRef })
        : dataOf(source, { kind: "configmap", ...configMapRef });
    for (const [key, value] of data) env[`${prefix}${key}`] = value.toString("utf8");
  }
  for (const variable of container.env ?? []) {
    const value = variableValue(variable, env, source);
    if (value !== undefined) env[variable.name] = value;
  }
  return env;
}

function variableValue(
  { value, valueFrom }: EnvVar,
  env: Readonly<Record<string, string>>,
  source: Source,
): string | undefined {
  if (valueFrom?.configMapKeyRef !== undefined)
    return keyOf(source, { kind: "configmap", ...valueFrom.configMapKeyRef });
  if (valueFrom?.secretKeyRef !== undefined) return keyOf(source, { kind: "secret", ...valueFrom.secretKeyRef });
  if (valueFrom?.fieldRef !== undefined) return fieldOf(source.pod, valueFrom.fieldRef.fieldPath);
  return expand(value ?? "", env);
}

interface Reference {
  readonly kind: "configmap" | "secret";
  readonly name?: string;
  readonly optional?: boolean;
}

function keyOf(source: Source, reference: Reference & { readonly key: string }): string | undefined {
  const { kind, key, optional, name = "" } = reference;
  const value = dataOf(source, reference).get(key)?.toString("utf8");
  if (value === undefined && optional !== true) {
    const namespace = source.pod.metadata.namespace ?? "";
    throw new ContainerConfigError(
      `couldn't find key ${key} in ${kind === "secret" ? "Secret" : "ConfigMap"} ${namespace}/${name}`,
    );
  }
  return value;
}

function dataOf({ pod, objects }: Source, { kind, name = "", optional }: Reference): ReadonlyMap<string, Buffer> {
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

function bytesOf(value: string, kind: Reference["kind"]): Buffer {
  return Buffer.from(value, kind === "secret" ? "base64" : "utf8");
}

// The fields of the downward API that do not depend on a node.
function fieldOf(pod: Pod, path: string): string {
  const [, list = "", key = ""] = /^metadata\.(labels|annotations)\['(.*)'\]$/u.exec(path) ?? [];
  if (list !== "") return pod.metadata[list as "labels" | "annotations"]?.[key] ?? "";
  let value: unknown = pod;
  for (const name of path.split(".")) value = isRecord(value) ? value[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** Expands references `$(NAME)` to known variables; `$$` is a dollar sign. */
function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/gu, (match, name: string | undefined) => {
    if (name === undefined) return "$";
    return Object.hasOwn(env, name) ? (env[name] ?? "") : match;
  });
}

function mountedFiles(container: Container, source: Source): ReadonlyMap<string, Buffer> {
  const volumes = new Map((source.pod.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  const files = new Map<string, Buffer>();
  for (const { name, mountPath, subPath = "" } of container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    for (const [path, bytes] of volume === undefined ? [] : volumeFiles(volume, source)) {
      if (subPath === "") files.set(joinPath(mountPath, path), bytes);
      else if (path === subPath) files.set(mountPath, bytes);
    }
  }
  return files;
}

function volumeFiles({ configMap, secret, projected }: Volume, source: Source): ReadonlyMap<string, Buffer> {
  if (configMap !== undefined) return itemsOf(source, { ...configMap, kind: "configmap" });
  if (secret !== undefined) {
    const { secretName: name = "", ...rest } = secret;
    return itemsOf(source, { ...rest, name, kind: "secret" });
  }
  const parts = (projected?.sources ?? []).map((each) =>
    each.configMap !== undefined
      ? itemsOf(source, { ...each.configMap, kind: "configmap" })
      : each.secret !== undefined
        ? itemsOf(source, { ...each.secret, kind: "secret" })
        : new Map<string, Buffer>(),
  );
  return new Map(parts.flatMap((part) => [...part]));
}

function itemsOf(
  source: Source,
  reference: Reference & { readonly items?: readonly { readonly key: string; readonly path: string }[] },
): ReadonlyMap<string, Buffer> {
  const data = dataOf(source, reference);
  if (reference.items === undefined || reference.items.length === 0) return data;
  const files = new Map<string, Buffer>();
  for (const { key, path } of reference.items) {
    const bytes = data.get(key);
    if (bytes !== undefined) files.set(path, bytes);
    else if (reference.optional !== true) throw new ContainerConfigError(`references non-existent config key: ${key}`);
  }
  return files;
}

function joinPath(folder: string, path: string): string {
  return folder.endsWith("/") ? `${folder}${path}` : `${folder}/${path}`;
}

import type { EnvVar, VolumeMount } from "@kubescaffold/k8s/core/v1";

import { ArgumentList, ArgumentListError, expand, expandArgument, referencesIn } from "./argument-list.ts";
import { controlGroupFiles } from "./files/control-group-files.ts";
import { podField, resourceField } from "./files/downward-fields.ts";
import { networkFiles } from "./files/network-files.ts";
import {
  type ConfigSource,
  ContainerConfigError,
  dataOf,
  type DataReference,
  mountedFiles,
} from "./files/volume-files.ts";
import { serviceVariables } from "./service-variables.ts";

const LONGEST_PATH = 4096;

/** The inputs of a container's processes. */
export interface ContainerConfig {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Those of volumes follow their ConfigMaps, Secrets, and the Pod; `/etc/hosts`, `/etc/resolv.conf`, and those of the control group are those of a kubelet. */
  readonly files: Map<string, Buffer>;
  /** The bytes of the command, its arguments, and the variables. */
  readonly argumentBytes: number;
  /** Why Linux would not start the process, as the runtime of a node prints it. */
  readonly execError?: string;
}

/**
 * Reads the variables and files of a container from its Pod, ConfigMaps, and Secrets; `bytesOfOthers` are the `argumentBytes` of the other containers of the Pod.
 *
 * Fails: {@link ContainerConfigError} if one is missing.
 */
export function containerConfig(source: ConfigSource, bytesOfOthers = 0): ContainerConfig {
  const { container } = source;
  const list = new ArgumentList(bytesOfOthers);
  try {
    const env = environment(source, list);
    const expanded = (text: string): string => list.add(expandArgument(text, env));
    const [command, args] = [container.command ?? [], container.args ?? []].map((texts) => texts.map(expanded));
    const files = filesOf({ ...source, contents: new Map() }, env);
    return { command: command ?? [], args: args ?? [], env, files, argumentBytes: list.bytes };
  } catch (error) {
    if (!(error instanceof ArgumentListError)) throw error;
    const program = container.command?.[0]?.slice(0, LONGEST_PATH) ?? "container process";
    const execError = `exec ${program}: ${error.message}`;
    return { command: [], args: [], env: {}, files: new Map(), argumentBytes: 0, execError };
  }
}

// A kubelet writes no file where the container mounts one.
function filesOf(source: ConfigSource, env: Readonly<Record<string, string>>): Map<string, Buffer> {
  const { container, pod, objects } = source;
  const mountPaths = new Set(container.volumeMounts?.map(({ mountPath }) => mountPath));
  const own = [...networkFiles(pod, objects), ...controlGroupFiles(container, pod)].filter(
    ([path]) => !mountPaths.has(path),
  );
  return new Map([...own, ...mountedFiles(source, (text) => expandSubPath(text, env))]);
}

/** Brings the files of a running container up to date. Those of a sub-path stay, and so do those whose ConfigMap or Secret is gone. */
export function refreshFiles({ env, files }: ContainerConfig, source: ConfigSource): void {
  for (const [path, bytes] of controlGroupFiles(source.container, source.pod))
    if (files.has(path)) files.set(path, bytes);
  const mounts = source.container.volumeMounts ?? [];
  const isWhole = ({ subPath = "", subPathExpr = "" }: VolumeMount): boolean => subPath === "" && subPathExpr === "";
  const whole = mounts.filter(isWhole);
  if (whole.length === 0) return;
  const current = currentFiles({ ...source, container: { ...source.container, volumeMounts: whole } }, env);
  if (current === undefined) return;
  const fixed = mounts.filter((mount) => !isWhole(mount)).map(({ mountPath }) => mountPath);
  const isFixed = (path: string): boolean => fixed.some((mount) => path === mount || path.startsWith(`${mount}/`));
  for (const path of files.keys()) if (!current.has(path) && !isFixed(path)) files.delete(path);
  for (const [path, bytes] of current) if (!isFixed(path)) files.set(path, bytes);
}

function currentFiles(
  source: ConfigSource,
  env: Readonly<Record<string, string>>,
): ReadonlyMap<string, Buffer> | undefined {
  try {
    return filesOf({ ...source, contents: new Map() }, env);
  } catch (error) {
    if (error instanceof ContainerConfigError) return undefined;
    throw error;
  }
}

// Later variables precede earlier ones, and can refer to them.
function environment(source: ConfigSource, list: ArgumentList): Record<string, string> {
  const { container, pod, objects } = source;
  const env: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    list.add(`${name}=${value}`);
    env[name] = value;
  };
  set("HOSTNAME", pod.spec?.hostname ?? pod.metadata.name ?? "");
  for (const [name, value] of Object.entries(serviceVariables(pod, objects))) set(name, value);
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const data =
      configMapRef === undefined
        ? dataOf(source, { kind: "secret", ...secretRef })
        : dataOf(source, { kind: "configmap", ...configMapRef });
    for (const [key, value] of data) set(`${prefix}${key}`, value.toString("utf8"));
  }
  for (const variable of container.env ?? []) {
    const value = variableValue(variable, env, source);
    if (value !== undefined) set(variable.name, value);
  }
  return env;
}

function variableValue(
  { value, valueFrom }: EnvVar,
  env: Readonly<Record<string, string>>,
  source: ConfigSource,
): string | undefined {
  if (valueFrom?.configMapKeyRef !== undefined)
    return keyOf(source, { kind: "configmap", ...valueFrom.configMapKeyRef });
  if (valueFrom?.secretKeyRef !== undefined) return keyOf(source, { kind: "secret", ...valueFrom.secretKeyRef });
  if (valueFrom?.fieldRef !== undefined) return podField(source.pod, valueFrom.fieldRef);
  if (valueFrom?.resourceFieldRef !== undefined) return resourceValue(source, valueFrom.resourceFieldRef);
  return expandArgument(value ?? "", env);
}

function resourceValue(
  { container, pod, objects }: ConfigSource,
  selector: NonNullable<NonNullable<EnvVar["valueFrom"]>["resourceFieldRef"]>,
): string {
  const named = pod.spec?.containers.find(({ name }) => name === selector.containerName) ?? container;
  return resourceField(named, pod, { selector, objects });
}

function keyOf(source: ConfigSource, reference: DataReference & { readonly key: string }): string | undefined {
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

// In paths, all variables must be known.
function expandSubPath(text: string, env: Readonly<Record<string, string>>): string {
  for (const name of referencesIn(text))
    if (!Object.hasOwn(env, name)) throw new ContainerConfigError(`missing value for "${name}"`);
  const path = expand(text, env, LONGEST_PATH);
  if (path === undefined) throw new ContainerConfigError("subPathExpr: file name too long");
  return path;
}

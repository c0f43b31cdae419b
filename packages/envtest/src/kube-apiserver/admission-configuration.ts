import path from "node:path";

import type { PodSecurityOptions } from "@kubescaffold/apiserver";
import { isRecord } from "@kubescaffold/k8s";

import { ServerFlagError } from "../errors.ts";
import { readYamlFile, requireKind } from "./flag-file.ts";

const FLAG = "admission-control-config-file";
const POD_SECURITY = "PodSecurity";

/** The options of a cluster that an AdmissionConfiguration states. */
export interface AdmissionConfiguration {
  readonly podSecurity?: PodSecurityOptions;
}

/**
 * Reads an AdmissionConfiguration: the configuration of PodSecurity, in the file or in another one that it names.
 *
 * Fails: ServerFlagError, also for the configuration of another plugin.
 */
export async function admissionConfiguration(file: string | undefined): Promise<AdmissionConfiguration> {
  if (file === undefined || file === "") return {};
  const value = await readYamlFile(FLAG, file);
  requireKind(value, { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", flag: FLAG });
  const plugins = Array.isArray(value["plugins"]) ? value["plugins"].filter((each) => isRecord(each)) : [];
  const other = plugins.find(({ name }) => name !== POD_SECURITY);
  if (other !== undefined) {
    throw new ServerFlagError(
      `cannot use the configuration of the admission plugin ${String(other["name"])}: the embedded API server reads that of PodSecurity only`,
      { hint: `remove it from ${file}, or use the binaries of a real control plane` },
    );
  }
  const [plugin] = plugins;
  return plugin === undefined ? {} : { podSecurity: await podSecurityOptions(plugin, file) };
}

async function podSecurityOptions(
  plugin: Readonly<Record<string, unknown>>,
  file: string,
): Promise<PodSecurityOptions> {
  const { configuration, path: other } = plugin;
  const value = isRecord(configuration)
    ? configuration
    : await readYamlFile(FLAG, path.resolve(path.dirname(file), typeof other === "string" ? other : ""));
  requireKind(value, {
    apiVersion: "pod-security.admission.config.k8s.io/v1",
    kind: "PodSecurityConfiguration",
    flag: FLAG,
  });
  return value;
}

import path from "node:path";

import type { EventRateLimitOptions, PodSecurityOptions } from "@kubescaffold/apiserver";
import { isRecord } from "@kubescaffold/platform";

import { ServerFlagError } from "../failures/errors.ts";
import { readYamlFile, requireKind } from "./flag-file.ts";

const FLAG = "admission-control-config-file";

// The plugins that have a configuration, with its type.
const PLUGINS: Readonly<Record<string, TypeMeta>> = {
  EventRateLimit: { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration" },
  PodSecurity: { apiVersion: "pod-security.admission.config.k8s.io/v1", kind: "PodSecurityConfiguration" },
};

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The options of a cluster that an AdmissionConfiguration states. */
export interface AdmissionConfiguration {
  readonly podSecurity?: PodSecurityOptions;
  /** Has no effect unless the plugin is enabled. */
  readonly eventRateLimit?: EventRateLimitOptions;
}

/**
 * Reads an AdmissionConfiguration: the configurations of PodSecurity and EventRateLimit, in the file or in others that it names.
 *
 * Fails: ServerFlagError, also for the configuration of another plugin.
 */
export async function admissionConfiguration(file: string | undefined): Promise<AdmissionConfiguration> {
  if (file === undefined || file === "") return {};
  const value = await readYamlFile(FLAG, file);
  requireKind(value, { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", flag: FLAG });
  const plugins = Array.isArray(value["plugins"]) ? value["plugins"].filter((each) => isRecord(each)) : [];
  const other = plugins.find(({ name }) => !Object.hasOwn(PLUGINS, String(name)));
  if (other !== undefined) {
    throw new ServerFlagError(
      `cannot use the configuration of the admission plugin ${String(other["name"])}: the embedded API server reads those of ${Object.keys(PLUGINS).join(" and ")} only`,
      { hint: `remove it from ${file}, or use the binaries of a real control plane` },
    );
  }
  const optionsOf = async (name: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const plugin = plugins.find((each) => each["name"] === name);
    return plugin === undefined ? undefined : await readConfiguration(plugin, file, PLUGINS[name]);
  };
  const [podSecurity, eventRateLimit] = [await optionsOf("PodSecurity"), await optionsOf("EventRateLimit")];
  return {
    ...(podSecurity === undefined ? {} : { podSecurity }),
    ...(eventRateLimit === undefined ? {} : { eventRateLimit }),
  };
}

async function readConfiguration(
  { configuration, path: other }: Readonly<Record<string, unknown>>,
  file: string,
  type: TypeMeta | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const value = isRecord(configuration)
    ? configuration
    : await readYamlFile(FLAG, path.resolve(path.dirname(file), typeof other === "string" ? other : ""));
  if (type !== undefined) requireKind(value, { ...type, flag: FLAG });
  return value;
}

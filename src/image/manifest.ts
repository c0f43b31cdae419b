import { isRecord } from "@kubescaffold/platform";

import type { Descriptor, Platform } from "./descriptor.ts";
import { BaseImageError } from "./errors.ts";

/** The manifest of one image. */
export interface ImageManifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** The list of the images for several platforms. */
export interface ImageIndex {
  readonly manifests: readonly Descriptor[];
}

/** One line of an image's history. */
export interface HistoryEntry {
  readonly created?: string;
  readonly created_by?: string;
  readonly comment?: string;
  readonly empty_layer?: boolean;
}

/** How a container of the image is started. */
export interface ContainerConfig {
  readonly User?: string;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[] | null;
  readonly Cmd?: readonly string[] | null;
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>> | null;
  readonly ExposedPorts?: Readonly<Record<string, object>> | null;
  readonly StopSignal?: string;
  readonly Healthcheck?: object;
}

/** The configuration of an image. */
export interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  readonly variant?: string;
  readonly created?: string;
  readonly config?: ContainerConfig | null;
  readonly rootfs: { readonly type: string; readonly diff_ids: readonly string[] };
  readonly history?: readonly HistoryEntry[] | null;
}

/** Reads an index. Fails: {@link BaseImageError}. */
export function parseIndex(bytes: Uint8Array, from: string): ImageIndex {
  const value = parseObject(bytes, from);
  const manifests = descriptorsOf(value["manifests"], from);
  return { manifests };
}

/** Reads the manifest of an image. Fails: {@link BaseImageError}. */
export function parseManifest(bytes: Uint8Array, from: string): ImageManifest {
  const value = parseObject(bytes, from);
  if (value["schemaVersion"] === 1) throw invalid(from, "its manifest has the obsolete schema 1");
  const [config] = descriptorsOf([value["config"]], from);
  if (config === undefined) throw invalid(from, "its manifest has no configuration");
  return { config, layers: descriptorsOf(value["layers"], from) };
}

/** Reads the configuration of an image. Fails: {@link BaseImageError}. */
export function parseConfig(bytes: Uint8Array, from: string): ImageConfig {
  const value = parseObject(bytes, from) as unknown as ImageConfig;
  if (typeof value.os !== "string" || typeof value.architecture !== "string" || !Array.isArray(value.rootfs?.diff_ids))
    throw invalid(from, "its configuration has no os, architecture, or rootfs");
  return value;
}

/** Returns what an image of this configuration runs on. */
export function platformOf({ os, architecture, variant }: ImageConfig): Platform {
  return { os, architecture, ...(variant === undefined || variant === "" ? {} : { variant }) };
}

function parseObject(bytes: Uint8Array, from: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw invalid(from, "it contains invalid JSON", cause);
  }
  throw invalid(from, "it contains JSON that is not an object");
}

function descriptorsOf(value: unknown, from: string): readonly Descriptor[] {
  if (!Array.isArray(value) || !value.every((each) => isDescriptor(each)))
    throw invalid(from, "a manifest lacks required digests");
  return value.map(({ platform, ...descriptor }) => (platform ? { ...descriptor, platform } : descriptor));
}

function isDescriptor(value: unknown): value is Descriptor {
  return (
    isRecord(value) &&
    typeof value["mediaType"] === "string" &&
    typeof value["digest"] === "string" &&
    Number.isSafeInteger(value["size"]) &&
    Number(value["size"]) >= 0 &&
    isPlatform(value["platform"] ?? { os: "", architecture: "" })
  );
}

function isPlatform(value: unknown): boolean {
  return isRecord(value) && typeof value["os"] === "string" && typeof value["architecture"] === "string";
}

function invalid(from: string, why: string, cause?: unknown): BaseImageError {
  return new BaseImageError(`cannot read the image ${from}: ${why}`, {
    hint: "specify an OCI image or a Docker image (schema 2)",
    ...(cause === undefined ? {} : { cause }),
  });
}

import { type Descriptor, type Platform, platformName } from "./descriptor.ts";
import { BaseImageError, ImagePlatformError } from "./errors.ts";
import type { ImageSource } from "./image-source.ts";
import { type ImageConfig, parseConfig, parseIndex, parseManifest, platformOf } from "./manifest.ts";
import { isIndex, isManifest } from "./media-type.ts";

/** The image for one platform that another is put on. */
export interface BaseImage {
  readonly platform: Platform;
  readonly manifest: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly config: ImageConfig;
}

/** The images of a base, and whether they are a choice of several platforms. */
export interface BaseImages {
  readonly images: readonly BaseImage[];
  readonly isIndex: boolean;
}

/**
 * Reads what a base is for the platforms that are asked for: for all that run Linux when none is.
 *
 * Guarantees: one platform that is asked for gives one image, never an index.
 * Fails: {@link ImagePlatformError} when the base lacks one of them; `BaseImageError`.
 */
export async function readBaseImages(source: ImageSource, wanted: readonly Platform[]): Promise<BaseImages> {
  const found = isIndex(source.root.mediaType)
    ? await readIndexed(source, wanted)
    : [await readOne(source, source.root)];
  const images = wanted.length === 0 ? found : wanted.map((platform) => requirePlatform(found, platform, source.name));
  return { images, isIndex: isIndex(source.root.mediaType) && wanted.length !== 1 };
}

/** Reads platforms such as `linux/arm64/v8`; `all` stands for every one. Fails: {@link ImagePlatformError}. */
export function parsePlatforms(names: readonly string[]): readonly Platform[] {
  if (names.includes("all")) return [];
  return names.map((name) => {
    const [os = "", architecture = "", variant, ...rest] = name.split("/");
    if (os === "" || architecture === "" || rest.length > 0)
      throw new ImagePlatformError(`cannot build for the platform "${name}": it is not of the form os/architecture`, {
        hint: "write linux/amd64, linux/arm64/v8, or all",
      });
    return { os, architecture, ...(variant === undefined ? {} : { variant }) };
  });
}

async function readIndexed(source: ImageSource, wanted: readonly Platform[]): Promise<readonly BaseImage[]> {
  const { manifests } = parseIndex(await source.readManifest(source.root), source.name);
  const candidates = manifests.filter((each) => isManifest(each.mediaType) && isImage(each));
  const chosen = candidates.filter(({ platform }) => platform === undefined || isWanted(platform, wanted));
  if (chosen.length === 0) {
    const names = candidates.flatMap(({ platform }) => (platform === undefined ? [] : [platformName(platform)]));
    throw missing(source.name, wanted.map((each) => platformName(each)).join(", ") || "linux", names);
  }
  const images: BaseImage[] = [];
  for (const each of chosen) images.push(await readOne(source, each));
  return images;
}

// What builders attach to an image is beside it, for a platform that there is not.
function isImage({ platform, artifactType }: Descriptor): boolean {
  return artifactType === undefined && platform?.os !== "unknown";
}

function isWanted(platform: Platform, wanted: readonly Platform[]): boolean {
  return wanted.length === 0 ? platform.os === "linux" : wanted.some((each) => fits(platform, each));
}

// Configurations have a few thousand bytes; this is read as one text.
const MOST_CONFIG_BYTES = 8 * 1024 ** 2;

async function readOne(source: ImageSource, manifest: Descriptor): Promise<BaseImage> {
  if (!isManifest(manifest.mediaType)) {
    throw new BaseImageError(`cannot build on ${source.name}: it is not an image but ${manifest.mediaType}`, {
      hint: "specify an image",
    });
  }
  const { config: descriptor, layers } = parseManifest(await source.readManifest(manifest), source.name);
  if (descriptor.size > MOST_CONFIG_BYTES) {
    throw new BaseImageError(
      `cannot build on ${source.name}: its configuration has ${descriptor.size} bytes, and the limit is ${MOST_CONFIG_BYTES}`,
      { hint: "specify another base image" },
    );
  }
  const config = parseConfig(await source.readBlob(descriptor), source.name);
  if (config.rootfs.diff_ids.length !== layers.length) {
    throw new BaseImageError(
      `cannot build on ${source.name}: it has ${layers.length} layers, and its configuration names ${config.rootfs.diff_ids.length}`,
      { hint: "specify another base image: this one is corrupt" },
    );
  }
  return { manifest, layers, config, platform: manifest.platform ?? platformOf(config) };
}

function requirePlatform(images: readonly BaseImage[], platform: Platform, name: string): BaseImage {
  const image = images.find((each) => fits(each.platform, platform));
  if (image !== undefined) return image;
  throw missing(
    name,
    platformName(platform),
    images.map((each) => platformName(each.platform)),
  );
}

function fits(actual: Platform, wanted: Platform): boolean {
  if (actual.os !== wanted.os || actual.architecture !== wanted.architecture) return false;
  return wanted.variant === undefined || wanted.variant === (actual.variant ?? standardVariant(actual));
}

function standardVariant({ architecture }: Platform): string | undefined {
  return architecture === "arm64" ? "v8" : undefined;
}

function missing(name: string, wanted: string, there: readonly string[]): ImagePlatformError {
  return new ImagePlatformError(`cannot build for ${wanted}: the base image ${name} does not support it`, {
    hint: there.length === 0 ? "choose another base image" : `use one of ${there.join(", ")}`,
  });
}

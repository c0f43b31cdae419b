import { parsePlatforms } from "../../../image/base-image.ts";
import type { Platform } from "../../../image/descriptor.ts";
import { imageName, type ImageReference, parseReference } from "../../../image/reference.ts";
import { InvalidFlagError, MissingFlagError } from "../../command/errors.ts";
import type { ImageFlags } from "./image-flags.ts";

/** What `scaffold image` was asked for. */
export interface ImageOptions {
  readonly base: string | undefined;
  readonly names: readonly ImageReference[];
  readonly pushes: boolean;
  readonly layoutPath: string | undefined;
  readonly tarball: string | undefined;
  readonly platforms: readonly Platform[];
  readonly labels: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[] | undefined;
  readonly builds: boolean;
  readonly sbomPath: string | undefined;
  /** Is the path of the private key that signs what is pushed. */
  readonly signKey: string | undefined;
  readonly hasProvenance: boolean;
  readonly isInsecure: boolean;
  readonly createdAt: Date;
}

const LAYOUT_PATH = "dist/image";
const SBOM_PATH = "dist/manager.spdx.json";

/** Reads the flags of `scaffold image`. Fails: `InvalidFlagError`, `MissingFlagError`, `ImageReferenceError`, `ImagePlatformError`. */
export function readImageOptions(
  flags: ImageFlags,
  program: string,
  environment: NodeJS.ProcessEnv = process.env,
): ImageOptions {
  const { push: pushes = false, tarball, "sign-key": signKey, provenance, entrypoint } = flags;
  const names = flags.tag.map((name) => readName(name));
  if (pushes && names.length === 0) throw new MissingFlagError(["tag"], `${program} image`);
  if (signKey !== undefined && !pushes) throw new MissingFlagError(["push"], `${program} image`);
  if (provenance === true && signKey === undefined) throw new MissingFlagError(["sign-key"], `${program} image`);
  return {
    base: flags.base,
    names,
    pushes,
    layoutPath: flags["oci-layout-path"] ?? (tarball === undefined && !pushes ? LAYOUT_PATH : undefined),
    tarball,
    platforms: parsePlatforms(flags.platform),
    labels: readLabels(flags.label),
    entrypoint: entrypoint.length === 0 ? undefined : entrypoint,
    builds: flags.build !== false,
    sbomPath: flags.sbom === false ? undefined : (flags["sbom-path"] ?? SBOM_PATH),
    signKey,
    hasProvenance: signKey !== undefined && provenance !== false,
    isInsecure: flags.insecure === true,
    createdAt: readTime(environment["SOURCE_DATE_EPOCH"]),
  };
}

function readName(text: string): ImageReference {
  const name = parseReference(text);
  if (name.digest === undefined) return name;
  throw new InvalidFlagError(`invalid value "${text}" for flag --tag: a tag cannot have a digest`, {
    hint: `write ${imageName({ ...name, digest: "" }).replace(/@$/u, "")}`,
  });
}

// A comma may be in a value, so it parts nothing here.
function readLabels(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^=\s]+)=(.*)$/su.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new InvalidFlagError(`invalid value "${line}" for flag --label: it is not of the form name=value`, {
        hint: "write --label name=value",
      });
    }),
  );
}

// The beginning of time stands for none: a real one would make every image another.
function readTime(text: string | undefined): Date {
  if (text === undefined || text === "") return new Date(0);
  const time = new Date(Number(text) * 1000);
  if (/^\d+$/u.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidFlagError(`invalid value "${text}" of SOURCE_DATE_EPOCH: it is not a number of seconds`, {
    hint: "set it to seconds since the epoch, such as the output of `git log -1 --format=%ct`",
  });
}

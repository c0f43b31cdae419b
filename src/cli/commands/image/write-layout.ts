import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

import { ScaffoldError } from "@kubescaffold/k8s";
import { makeFolder } from "@kubescaffold/platform/files";

import type { Image } from "../../../image/build-image.ts";
import { ImageTargetError } from "../../../image/errors.ts";
import { layoutEntries } from "../../../image/image-layout.ts";
import { packLayout } from "../../../image/layout-archive.ts";
import type { ImageReference } from "../../../image/reference.ts";
import { diskFailure } from "../../../machinery/disk-failure.ts";

/** An image, and where it is written to. */
export interface LayoutTarget {
  readonly image: Image;
  readonly names: readonly ImageReference[];
  /** Is an absolute path. */
  readonly target: string;
}

/** Fails: {@link ImageTargetError} when a folder holds other things than a layout. */
export function requireLayoutTarget(target: string): void {
  const isFolder = isFolderAt(target);
  if (isFolder === undefined) return;
  const isFree = isFolder && (readdirSync(target).length === 0 || existsSync(path.join(target, "oci-layout")));
  if (isFree) return;
  throw new ImageTargetError(`cannot write the image to ${target}: it contains files that are not part of an image`, {
    hint: "specify another folder with --oci-layout-path, or move the files",
  });
}

/**
 * Writes an image to a folder, in place of the layout that was there.
 *
 * Guarantees: the folder has the old image or the new one, never parts of either.
 */
export async function writeLayoutFolder({ image, names, target }: LayoutTarget): Promise<void> {
  requireLayoutTarget(target);
  await replacing(target, async (draft) => {
    for await (const { path: file, bytes } of layoutEntries(image, names)) {
      makeFolder(path.dirname(path.join(draft, file)));
      writeFileSync(path.join(draft, file), bytes);
    }
  });
}

/**
 * Writes an image to an archive, without what refers to it: programs that load archives take everything in them for images.
 *
 * Guarantees: the file has all of it, or is as it was.
 */
export async function writeLayoutArchive(
  { image, names, target }: LayoutTarget,
  options: { readonly modifiedAt: Date },
): Promise<void> {
  if (isFolderAt(target) === true) {
    throw new ImageTargetError(`cannot write the image to ${target}: it is a folder`, {
      hint: "specify a file with --tarball, or use --oci-layout-path for a folder",
    });
  }
  const alone: Image = { ...image, referrers: [], attachments: [] };
  await replacing(target, async (draft) => {
    const file = await open(draft, "wx");
    try {
      for await (const part of packLayout(layoutEntries(alone, names), options.modifiedAt)) await file.writeFile(part);
    } finally {
      await file.close();
    }
  });
}

function isFolderAt(target: string): boolean | undefined {
  try {
    return statSync(target, { throwIfNoEntry: false })?.isDirectory();
  } catch (error) {
    throw diskFailure(error, { what: `write ${target}`, outcome: "no image was written" });
  }
}

async function replacing(target: string, write: (draft: string) => Promise<void>): Promise<void> {
  // Names that nobody can have put a link at beforehand.
  const unique = randomUUID();
  const draft = `${target}.${unique}.new`;
  const former = `${target}.${unique}.old`;
  try {
    makeFolder(path.dirname(target));
    await write(draft);
    if (existsSync(target)) renameSync(target, former);
    renameSync(draft, target);
  } catch (error) {
    if (!existsSync(target) && existsSync(former)) renameSync(former, target);
    if (error instanceof ScaffoldError) throw error;
    throw diskFailure(error, { what: `write ${target}`, outcome: "no image was written" });
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(former, { recursive: true, force: true });
  }
}

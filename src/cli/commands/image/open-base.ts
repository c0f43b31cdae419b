import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { createCacheStore, userCacheFolder } from "@kubescaffold/generators/cache";

import { BaseImageError } from "../../../image/errors.ts";
import { type LayoutFiles, openLayout } from "../../../image/image-layout.ts";
import type { ImageSource } from "../../../image/image-source.ts";
import { readArchive } from "../../../image/layout-archive.ts";
import { parseReference } from "../../../image/reference.ts";
import { pullImage, type BlobCache } from "../../../image/registry/pull-image.ts";
import type { RegistryClient } from "../../../image/registry/registry-client.ts";
import { systemCodeOf } from "../../../machinery/disk.ts";

/**
 * Opens a base: a folder or archive of an OCI image layout, else the name of an image in a registry.
 *
 * `oci:`, `oci-archive:` and `docker://` say which of them it is; a layout may be followed by a colon and the name of an image in it.
 * Fails: `BaseImageError`, `ImageReferenceError`, the errors of registries.
 */
export async function openBase(
  text: string,
  cwd: string,
  connect: (registry: string) => Promise<RegistryClient>,
): Promise<ImageSource> {
  const place = placeOf(text, cwd);
  if (place.kind === "layout") return openLayout(await filesOf(place.path, cwd), place.tag);
  const reference = parseReference(place.name);
  return pullImage(await connect(reference.registry), reference, createBlobCache());
}

type Place =
  | { readonly kind: "layout"; readonly path: string; readonly tag?: string }
  | { readonly kind: "registry"; readonly name: string };

function placeOf(text: string, cwd: string): Place {
  if (text.startsWith("docker://")) return { kind: "registry", name: text.slice("docker://".length) };
  const [, named] = /^(?:oci|oci-archive):(.+)$/su.exec(text) ?? [];
  const target = named ?? text;
  if (existsSync(path.resolve(cwd, target))) return { kind: "layout", path: target };
  const [, file, tag] = /^(.+):([^:\\/]+)$/su.exec(target) ?? [];
  if (file !== undefined && tag !== undefined && existsSync(path.resolve(cwd, file)))
    return { kind: "layout", path: file, tag };
  const isPath = named !== undefined || /^(?:\.{0,2}[\\/]|[A-Za-z]:\\)|\.tar$/u.test(target);
  return isPath ? { kind: "layout", path: target } : { kind: "registry", name: text };
}

async function filesOf(target: string, cwd: string): Promise<LayoutFiles> {
  const absolute = path.resolve(cwd, target);
  if (!existsSync(absolute)) {
    throw new BaseImageError(`cannot build on ${target}: no such file or folder`, {
      hint: "fix the path",
    });
  }
  if (!statSync(absolute).isDirectory()) return readArchive(target, readPart(absolute, target));
  return {
    name: target,
    read: async (file) => {
      const inside = path.join(absolute, file);
      return existsSync(inside) ? readPart(inside, target) : undefined;
    },
  };
}

function readPart(file: string, base: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new BaseImageError(
      `cannot build on ${base}: ${file} cannot be read (${systemCodeOf(cause) ?? String(cause)})`,
      {
        hint: "make it a readable file",
        cause,
      },
    );
  }
}

const BOUNDS = { maxEntries: 500, maxBytes: 2 * 1024 ** 3 };

/** Returns the cache of what registries sent, in the user's cache folder; without such a folder it keeps nothing. */
function createBlobCache(folder: string | undefined = userCacheFolder()): BlobCache {
  if (folder === undefined) return { read: () => undefined, write: () => undefined };
  return createCacheStore({
    folder: path.join(folder, "blobs"),
    nameOf: (digest) => digest.replace(":", "-"),
    isOfKind: (name) => name.startsWith("sha256-"),
    bounds: BOUNDS,
  });
}

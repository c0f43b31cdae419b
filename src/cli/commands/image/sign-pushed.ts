import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { readSourceRevision } from "../../../git/git.ts";
import type { Image } from "../../../image/build-image.ts";
import { platformName } from "../../../image/descriptor.ts";
import { SigningKeyError } from "../../../image/errors.ts";
import type { Repository } from "../../../image/registry/push-image.ts";
import { type BuildFacts, renderProvenance } from "../../../image/signature/provenance.ts";
import { signImage } from "../../../image/signature/sign-image.ts";
import { openSigningKey, type SigningKey } from "../../../image/signature/signing-key.ts";
import { systemCodeOf } from "../../../machinery/disk.ts";
import type { ManagerBundle } from "./build-manager.ts";
import type { ImageOptions } from "./image-options.ts";

const LOCK_FILE = "package-lock.json";
const BUNDLE = "dist/manager.mjs";

/** Opens the key of `--sign-key` with the password in `COSIGN_PASSWORD`, as cosign does. Fails: {@link SigningKeyError}. */
export function openKeyFile(cwd: string, name: string, environment: NodeJS.ProcessEnv = process.env): SigningKey {
  const password = environment["COSIGN_PASSWORD"];
  if (password === undefined) {
    throw new SigningKeyError(`cannot open the signing key ${name}: its password is not known`, {
      hint: "set COSIGN_PASSWORD to the password of the key, which may be empty",
    });
  }
  return openSigningKey({ pem: readKeyFile(path.resolve(cwd, name), name), password, name });
}

function readKeyFile(file: string, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new SigningKeyError(`cannot read the signing key ${name}: ${systemCodeOf(cause) ?? String(cause)}`, {
      hint: "name the file cosign.key that `cosign generate-key-pair` wrote",
      cause,
    });
  }
}

/** An image that was built, and how. */
export interface BuiltImage {
  readonly cwd: string;
  readonly options: ImageOptions;
  readonly image: Image;
  readonly base: { readonly name: string; readonly digest: string; readonly isInRegistry: boolean };
  readonly platforms: readonly Parameters<typeof platformName>[0][];
  readonly bundle: ManagerBundle;
  readonly version: string;
}

/** Returns what signs an image in a repository, with its provenance where that is wanted. */
export async function createSigner(
  built: BuiltImage,
  key: SigningKey,
): Promise<(repository: Repository) => Promise<void>> {
  const { options, image } = built;
  const facts = options.hasProvenance ? await describeBuild(built) : undefined;
  const subjects = [image.root, ...image.manifests].map(({ descriptor }) => descriptor);
  return (repository) =>
    signImage(repository, {
      key,
      subjects,
      createdAt: options.createdAt,
      provenance: facts === undefined ? undefined : renderProvenance(facts, repository.name, subjects),
    });
}

async function describeBuild({ cwd, options, base, platforms, bundle, version }: BuiltImage): Promise<BuildFacts> {
  const { entrypoint, labels } = options;
  const lockFile = path.join(cwd, LOCK_FILE);
  return {
    base,
    platforms: platforms.map((platform) => platformName(platform)),
    parameters: {
      ...(entrypoint === undefined ? {} : { entrypoint }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
    },
    source: await readSourceRevision(cwd),
    lockFile: existsSync(lockFile) ? { name: LOCK_FILE, sha256: sha256(readFileSync(lockFile)) } : undefined,
    bundle: { name: BUNDLE, sha256: sha256(bundle.bytes) },
    version,
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";

import { type BaseImages, readBaseImages } from "../../../image/base-image.ts";
import { buildImage, type Image, timeText } from "../../../image/build-image.ts";
import { listBundledPackages } from "../../../image/bundled-packages.ts";
import { platformName } from "../../../image/descriptor.ts";
import { DockerfileError } from "../../../image/errors.ts";
import type { ImageSettings } from "../../../image/image-config.ts";
import type { ImageSource } from "../../../image/image-source.ts";
import { createLayer, type Layer } from "../../../image/layer.ts";
import { readRuntimeStage, type RuntimeStage } from "../../../image/read-dockerfile.ts";
import { imageName, type ImageReference } from "../../../image/reference.ts";
import { pushImage, type BlobOutcome, type Repository } from "../../../image/registry/push-image.ts";
import type { RegistryClient } from "../../../image/registry/registry-client.ts";
import type { SigningKey } from "../../../image/signature/signing-key.ts";
import { renderSpdx } from "../../../image/spdx.ts";
import { acquireLock } from "../../../machinery/commit/project-lock.ts";
import { requireOwnTarget } from "../../../machinery/commit/project-paths.ts";
import { diskFailure } from "../../../machinery/disk-failure.ts";
import { realDisk } from "../../../machinery/disk.ts";
import type { Invocation } from "../../command/command.ts";
import { requirePlaceForFile, requirePlaceForFolder } from "../../flags/folder-flags.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";
import { buildManager, type ManagerBundle, missingMetafile, readManager } from "./build-manager.ts";
import type { ImageOptions } from "./image-options.ts";
import { openBase } from "./open-base.ts";
import { describeProgram, type ProgramDescription } from "./program-description.ts";
import { createRegistryAccess } from "./registry-access.ts";
import { type ImageReport, type PushedImage, reportImage } from "./report-image.ts";
import { requireLayoutTarget, writeLayoutArchive, writeLayoutFolder } from "./write-layout.ts";

/** Makes the image of the project in the working folder. */
export async function runImage(options: ImageOptions, invocation: Invocation): Promise<number> {
  const plan = await planImage(invocation, options);
  noteOtherProgram(invocation, plan);
  if (invocation.isDryRun) {
    reportImage(invocation, reportOf(plan));
    return 0;
  }
  const lock = await acquireLock({ root: invocation.cwd, command: invocation.typed, name: "image-lock" });
  try {
    reportImage(invocation, await makeImage(invocation, plan));
  } finally {
    await lock.release();
  }
  return 0;
}

// Reading the layers of a base only to look for a file would cost more than all the rest.
function noteOtherProgram({ terminal }: Invocation, { options, settings, base }: Plan): void {
  const [program] = settings.entrypoint ?? [];
  if (options.base === undefined || options.entrypoint !== undefined || program === undefined) return;
  const own = base.images.map(({ config }) => config.config?.Entrypoint?.[0]);
  if (own.every((each) => each === program)) return;
  terminal.writeError(
    `note: the image starts ${program}, which the base image must contain; use --entrypoint for another program\n`,
  );
}

/** What is known before anything is built. */
interface Plan {
  readonly options: ImageOptions;
  readonly program: ProgramDescription;
  readonly stage: RuntimeStage;
  readonly settings: ImageSettings;
  readonly source: ImageSource;
  readonly base: BaseImages;
  readonly connect: (registry: string) => Promise<RegistryClient>;
  /** Is the key that signs what is pushed. */
  readonly key: SigningKey | undefined;
}

async function planImage(invocation: Invocation, options: ImageOptions): Promise<Plan> {
  const { cwd } = invocation;
  const { program, stage } = await withProjectSession(invocation, { isDryRun: true }, async (session) => ({
    program: describeProgram(loadProject(session).project, session.tree.read("package.json")),
    stage: readRuntimeStage(requireDockerfile(session.tree.read("Dockerfile"))),
  }));
  await requireTargets(cwd, options);
  const key = options.signKey === undefined ? undefined : await openKey(cwd, options.signKey);
  const connect = createRegistryAccess(options.isInsecure);
  const source = await openBase(options.base ?? stage.base, cwd, connect);
  const base = await readBaseImages(source, options.platforms);
  return { options, program, stage, settings: settingsOf(options, program, stage), source, base, connect, key };
}

// Programs that sign nothing load none of it.
async function openKey(cwd: string, name: string): Promise<SigningKey> {
  const { openKeyFile } = await import("./sign-pushed.ts");
  return openKeyFile(cwd, name);
}

// What cannot be written is better known before a base is fetched and a manager is built.
async function requireTargets(cwd: string, { layoutPath, tarball, sbomPath }: ImageOptions): Promise<void> {
  for (const file of [layoutPath, tarball, sbomPath])
    if (file !== undefined) await requireOwnTarget(realDisk, cwd, path.resolve(cwd, file));
  for (const file of [tarball, sbomPath]) if (file !== undefined) requirePlaceForFile(cwd, file);
  if (layoutPath === undefined) return;
  requirePlaceForFolder(cwd, path.dirname(layoutPath));
  requireLayoutTarget(path.resolve(cwd, layoutPath));
}

function requireDockerfile(text: string | undefined): string {
  if (text !== undefined) return text;
  throw new DockerfileError("cannot build the image: there is no Dockerfile", {
    hint: "restore it from version control: it defines the base image, the user, and the entry point",
  });
}

function settingsOf(options: ImageOptions, { labels }: ProgramDescription, { settings }: RuntimeStage): ImageSettings {
  const { entrypoint } = options;
  return {
    ...settings,
    labels: {
      "org.opencontainers.image.created": timeText(options.createdAt),
      ...labels,
      ...settings.labels,
      ...options.labels,
    },
    ...(entrypoint === undefined ? {} : { entrypoint }),
  };
}

async function makeImage(invocation: Invocation, plan: Plan): Promise<ImageReport> {
  const { options, settings, stage, source, base } = plan;
  const { createdAt } = options;
  if (options.builds) await buildManager(invocation);
  const bundle = readManager(invocation.cwd);
  const sbom = options.sbomPath === undefined ? undefined : listContents(invocation, plan, bundle);
  const layer = await createLayer([{ path: stage.managerPath, bytes: bundle.bytes }], createdAt);
  const annotations = Object.fromEntries(
    Object.entries(settings.labels).filter(([name]) => name.startsWith("org.opencontainers.image.")),
  );
  const image = buildImage({
    source,
    base,
    layer,
    settings,
    annotations,
    createdAt,
    createdBy: "scaffold image",
    ...(sbom === undefined ? {} : { sbom: sbom.document }),
  });
  const written = await writeImage(invocation, options, image);
  if (sbom !== undefined && options.sbomPath !== undefined) {
    writeSbom(path.resolve(invocation.cwd, options.sbomPath), sbom.document);
    written.push(options.sbomPath);
  }
  const sign = plan.key === undefined ? undefined : await signerOf(invocation, plan, { key: plan.key, image, bundle });
  const pushed = options.pushes ? await pushAll(plan, image, sign) : [];
  return {
    ...reportOf(plan, { image, layer }),
    written,
    pushed,
    ...(sbom === undefined ? {} : { packages: sbom.count }),
  };
}

interface Contents {
  readonly document: Uint8Array;
  readonly count: number;
}

function listContents({ cwd, program: tool }: Invocation, { options, program }: Plan, bundle: ManagerBundle): Contents {
  if (bundle.metafile === undefined) throw missingMetafile();
  const readText = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  const packages = listBundledPackages({ metafile: bundle.metafile, root: cwd, readText });
  const document = renderSpdx({
    name: program.name,
    version: program.version,
    license: program.license,
    bundle: bundle.bytes,
    packages,
    createdAt: options.createdAt,
    tool: `kubescaffold-${tool.version}`,
  });
  return { document, count: packages.length };
}

async function writeImage({ cwd }: Invocation, options: ImageOptions, image: Image): Promise<string[]> {
  const { layoutPath, tarball, names, createdAt } = options;
  if (layoutPath !== undefined) await writeLayoutFolder({ image, names, target: path.resolve(cwd, layoutPath) });
  if (tarball !== undefined) {
    const target = path.resolve(cwd, tarball);
    await writeLayoutArchive({ image, names, target }, { modifiedAt: createdAt });
  }
  return [layoutPath, tarball].flatMap((each) => each ?? []);
}

function writeSbom(file: string, document: Uint8Array): void {
  try {
    makeFolder(path.dirname(file));
    writeFileSync(file, document);
  } catch (error) {
    throw diskFailure(error, { what: `write ${file}`, outcome: "nothing was pushed" });
  }
}

type Signer = (repository: Repository) => Promise<void>;

interface SignedParts {
  readonly key: SigningKey;
  readonly image: Image;
  readonly bundle: ManagerBundle;
}

async function signerOf(
  { cwd, program }: Invocation,
  { options, source, base }: Plan,
  { key, image, bundle }: SignedParts,
): Promise<Signer> {
  const { createSigner } = await import("./sign-pushed.ts");
  const platforms = base.images.map(({ platform }) => platform);
  const from = { name: source.name, digest: source.root.digest, isInRegistry: source.home !== undefined };
  return createSigner({ cwd, options, image, base: from, platforms, bundle, version: program.version }, key);
}

async function pushAll({ options, connect }: Plan, image: Image, sign?: Signer): Promise<readonly PushedImage[]> {
  const signed = options.hasProvenance ? "image and provenance" : "image";
  const pushed: PushedImage[] = [];
  for (const names of byRepository(options.names)) {
    const blobs: Record<BlobOutcome, number> = { existed: 0, mounted: 0, uploaded: 0 };
    const client = await connect(names[0]?.registry ?? "");
    const onBlob = (_: unknown, outcome: BlobOutcome): void => void (blobs[outcome] += 1);
    await pushImage({ client, image, names, onBlob, ...(sign === undefined ? {} : { sign }) });
    for (const name of names)
      pushed.push({ name: pinned(name, image), blobs, ...(sign === undefined ? {} : { signed }) });
  }
  return pushed;
}

function byRepository(names: readonly ImageReference[]): Iterable<readonly ImageReference[]> {
  const groups = new Map<string, ImageReference[]>();
  for (const name of names) {
    const key = `${name.registry}/${name.repository}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return groups.values();
}

function pinned(name: ImageReference, { root }: Image): string {
  return imageName({ ...name, digest: root.descriptor.digest });
}

function reportOf(
  { options, source, base, settings, stage }: Plan,
  made?: { readonly image: Image; readonly layer: Layer },
): ImageReport {
  const manifests =
    made === undefined ? [] : made.image.manifests.length > 0 ? made.image.manifests : [made.image.root];
  return {
    base: { name: source.name, digest: source.root.digest },
    names: options.names.map((name) => imageName(name)),
    platforms: base.images.map(({ platform }, index) => {
      const digest = manifests[index]?.descriptor.digest;
      return { platform: platformName(platform), ...(digest === undefined ? {} : { digest }) };
    }),
    user: settings.user ?? base.images[0]?.config.config?.User ?? "",
    entrypoint: settings.entrypoint ?? [],
    managerPath: stage.managerPath,
    ...(made === undefined ? {} : { digest: made.image.root.descriptor.digest, layer: layerReport(made.layer) }),
    written: [options.layoutPath, options.tarball, options.sbomPath].flatMap((each) => each ?? []),
    pushed: [],
  };
}

function layerReport({ content, diffId }: Layer): NonNullable<ImageReport["layer"]> {
  return { digest: content.descriptor.digest, size: content.descriptor.size, diffId };
}

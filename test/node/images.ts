import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The image of the first container of each Pod, which holds its namespaces. */
export const SANDBOX_IMAGE = "example.com/pause:v1";

/** An image with a shell, for the Pods of tests. */
export const SHELL_IMAGE = "example.com/busybox:v1";

/** Another one, for Pods whose image changes. */
export const OTHER_SHELL_IMAGE = "example.com/busybox:v2";

/** The registry that the tests start; containerd uses no TLS for addresses of the machine itself. */
export const REGISTRY = "127.0.0.1:5000";

/** The image with a shell, in the registry. */
export const PULLED_IMAGE: string = `${REGISTRY}/busybox:v1`;

/** An image that the registry does not have. */
export const MISSING_IMAGE: string = `${REGISTRY}/missing:v1`;

/** The image of the sample of examples/guestbook. */
export const GUESTBOOK_IMAGE = "registry.k8s.io/guestbook:v3";

/** The image of the sample of examples/memcached. */
export const MEMCACHED_IMAGE = "docker.io/library/memcached:1.4.36-alpine";

/** The image of the samples of examples/multiversion. */
export const RELAY_IMAGE = "docker.io/alpine/socat:1.8.0.3";

/** The image with Node at the path that distroless images have it at. */
const BASE_IMAGE = "example.com/nodejs:v1";

interface ImageOptions {
  readonly name: string;
  /** The folder that becomes the only layer. */
  readonly root: string;
  readonly command: readonly string[];
  /** Default: root. */
  readonly user?: string;
}

/** Writes an archive with busybox as all of its programs, and with scripts by their names; returns its path. */
export function writeShellImage(
  folder: string,
  { scripts = {}, ...options }: Omit<ImageOptions, "root"> & { readonly scripts?: Readonly<Record<string, string>> },
): string {
  const root = path.join(folder, "root");
  mkdirSync(path.join(root, "bin"), { recursive: true });
  for (const each of ["tmp", "etc", "proc", "sys", "dev"]) mkdirSync(path.join(root, each));
  copyFileSync("/bin/busybox", path.join(root, "bin", "busybox"));
  const programs = execFileSync("/bin/busybox", ["--list"], { encoding: "utf8" }).trim().split("\n");
  for (const each of programs.filter((program) => program !== "busybox"))
    symlinkSync("busybox", path.join(root, "bin", each));
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(path.join(root, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  writeFileSync(path.join(root, "etc", "passwd"), "root:x:0:0:root:/:/bin/sh\n");
  return writeImage(folder, { ...options, root });
}

/** Writes an archive with a Node program and its libraries, as a base of managers, and returns its path. */
export function writeBaseImage(folder: string, program: string): string {
  const root = path.join(folder, "root");
  mkdirSync(path.join(root, "nodejs", "bin"), { recursive: true });
  mkdirSync(path.join(root, "tmp"));
  chmodSync(path.join(root, "tmp"), 0o1777);
  copyFileSync(program, path.join(root, "nodejs", "bin", "node"));
  const libraries = execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(?<file>\/\S+) \(/gu);
  for (const { groups } of libraries) {
    const file = groups?.["file"] ?? "";
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    copyFileSync(file, path.join(root, file));
  }
  return writeImage(folder, { name: BASE_IMAGE, root, command: ["/nodejs/bin/node"] });
}

function writeImage(folder: string, { name, root, command, user = "0" }: ImageOptions): string {
  const layout = path.join(folder, "layout");
  mkdirSync(path.join(layout, "blobs", "sha256"), { recursive: true });
  const tar = path.join(folder, "layer.tar");
  execFileSync("tar", [
    "--directory",
    root,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--create",
    "--file",
    tar,
    ".",
  ]);
  const layer = store(layout, readFileSync(tar), "application/vnd.oci.image.layer.v1.tar");
  const config = store(
    layout,
    json({
      os: "linux",
      architecture: process.arch === "x64" ? "amd64" : process.arch,
      config: { Entrypoint: command, Env: ["PATH=/bin"], User: user },
      rootfs: { type: "layers", diff_ids: [layer.digest] },
      history: [{ created_by: "files of this machine" }],
    }),
    "application/vnd.oci.image.config.v1+json",
  );
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = store(layout, json({ schemaVersion: 2, mediaType, config, layers: [layer] }), mediaType);
  writeFileSync(path.join(layout, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(
    path.join(layout, "index.json"),
    json({ schemaVersion: 2, manifests: [{ ...manifest, annotations: { "io.containerd.image.name": name } }] }),
  );
  const archive = path.join(folder, "image.tar");
  execFileSync("tar", ["--directory", layout, "--create", "--file", archive, "."]);
  for (const each of [root, layout, tar]) rmSync(each, { recursive: true });
  return archive;
}

function store(layout: string, bytes: Buffer, mediaType: string): { readonly digest: string } {
  const hash = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(path.join(layout, "blobs", "sha256", hash), bytes);
  return Object.freeze({ mediaType, digest: `sha256:${hash}`, size: bytes.byteLength });
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

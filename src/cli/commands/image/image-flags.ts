import type { FlagsOf } from "../../command/define-command.ts";

/** The flags of `scaffold image`. */
export const IMAGE_FLAGS = [
  {
    name: "base",
    kind: "string",
    isPath: true,
    help: "base image: a reference, or a folder or archive in the OCI layout",
    default: "RUNTIME_IMAGE of the Dockerfile",
  },
  { name: "tag", kind: "list", help: "reference of the image with registry and tag (repeatable)" },
  { name: "push", kind: "boolean", help: "push the image to the registries of --tag", default: "false" },
  {
    name: "oci-layout-path",
    kind: "string",
    isPath: true,
    help: "output folder in the OCI image layout",
    default: "dist/image, unless --tarball or --push is given",
  },
  {
    name: "tarball",
    kind: "string",
    isPath: true,
    help: "output archive, which docker load accepts",
  },
  {
    name: "platform",
    kind: "list",
    help: "platforms of the image, such as linux/amd64",
    default: "all Linux platforms of the base image",
  },
  { name: "label", kind: "list", keepsCommas: true, help: "label of the image, as name=value (repeatable)" },
  {
    name: "entrypoint",
    kind: "list",
    help: "entry point of the image",
    default: "the Dockerfile's",
  },
  { name: "build", kind: "boolean", help: "bundle the manager before building the image", default: "true" },
  { name: "sbom", kind: "boolean", help: "attach an SPDX document of the bundled packages", default: "true" },
  {
    name: "sbom-path",
    kind: "string",
    isPath: true,
    help: "output file of the SPDX document",
    default: "dist/manager.spdx.json",
  },
  {
    name: "sign-key",
    kind: "string",
    isPath: true,
    help: "private key of cosign that signs the pushed image",
  },
  {
    name: "provenance",
    kind: "boolean",
    help: "attach signed SLSA provenance to the pushed image",
    default: "true with --sign-key",
  },
  { name: "insecure", kind: "boolean", help: "allow plain HTTP to registries on other hosts", default: "false" },
  {
    name: "dry-run",
    kind: "boolean",
    help: "print the image's contents without writing or pushing it",
    default: "false",
  },
  { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
] as const;

/** The values of the flags of `scaffold image`. */
export type ImageFlags = FlagsOf<typeof IMAGE_FLAGS>;

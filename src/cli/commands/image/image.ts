import type { Command } from "../../command/command.ts";

/** `scaffold image`: the image of the manager, without Docker. */
export const imageCommand: Command = {
  path: ["image"],
  summary: "Build and push the manager's image without Docker",
  description: [
    "Bundle the manager with hack/build.mjs and add it as one layer to the base image in the Dockerfile, with the user, environment, and",
    "entry point of the Dockerfile's last stage. The image is written to a folder or archive in the OCI image layout, pushed to a registry, or both.",
    "",
    "A multi-platform base image gives a multi-platform image. Builds are reproducible: the same sources and base give the same digest, and SOURCE_DATE_EPOCH sets the creation time.",
    "Credentials are read from the configuration of `docker login`. An SPDX document that lists the bundled packages is attached to the image.",
    "",
    "With --sign-key, the image is signed before it is tagged. `cosign verify` and `cosign verify-attestation` verify the signature and the provenance.",
    "COSIGN_PASSWORD is the password of the key.",
  ].join("\n"),
  examples: [
    "scaffold image",
    "scaffold image --tag registry.example.com/guestbook:v1 --push",
    "scaffold image --platform linux/amd64 --tag guestbook:dev --tarball dist/image.tar",
    "scaffold image --tag registry.example.com/guestbook:v1 --push --sign-key cosign.key",
    "scaffold image --base oci:base-image --label org.opencontainers.image.revision=3f1c2ab",
  ],
  flags: [
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
    { name: "label", kind: "list", help: "label of the image, as name=value (repeatable)" },
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
  ],
  run: async (invocation) => {
    const { runImage } = await import("./run-image.ts");
    return runImage(invocation);
  },
};

import type { Command } from "../../command.ts";

/** `scaffold image`: the image of the manager, without Docker. */
export const imageCommand: Command = {
  path: ["image"],
  summary: "Build the image of the manager without Docker, and push it",
  description: [
    "Bundle the manager with hack/build.mjs and put it as one layer on the base image that the Dockerfile names, with the user, the environment and",
    "the entry point of the Dockerfile's last stage. The image goes to a folder or archive of the OCI image layout, to a registry, or both.",
    "",
    "A base made for several platforms gives an image for all of them. The same sources and base give the same digest; SOURCE_DATE_EPOCH sets its time.",
    "Credentials are those of `docker login`. The packages inside the bundle are listed in an SPDX document, which is attached to the image.",
  ].join("\n"),
  examples: [
    "scaffold image",
    "scaffold image --tag registry.example.com/guestbook:v1 --push",
    "scaffold image --platform linux/amd64 --tag guestbook:dev --tarball dist/image.tar",
    "scaffold image --base oci:base-image --label org.opencontainers.image.revision=3f1c2ab",
  ],
  flags: [
    {
      name: "base",
      kind: "string",
      isPath: true,
      help: "base image: a name in a registry, a folder or archive of an OCI image layout (also docker://, oci: and oci-archive:)",
      default: "RUNTIME_IMAGE of the Dockerfile",
    },
    { name: "tag", kind: "list", help: "name of the image with its registry and tag; may be given several times" },
    { name: "push", kind: "boolean", help: "push the image to the registries of --tag", default: "false" },
    {
      name: "oci-layout-path",
      kind: "string",
      isPath: true,
      help: "folder that the image is written to as an OCI image layout",
      default: "dist/image, unless --tarball or --push is given",
    },
    {
      name: "tarball",
      kind: "string",
      isPath: true,
      help: "file that the image is written to as an archive; docker load reads it",
    },
    {
      name: "platform",
      kind: "list",
      help: "platforms that the image is for, such as linux/amd64",
      default: "all of the base that run Linux",
    },
    { name: "label", kind: "list", help: "label of the image, name=value; may be given several times" },
    {
      name: "entrypoint",
      kind: "list",
      help: "program and arguments that start the manager",
      default: "the Dockerfile's",
    },
    { name: "build", kind: "boolean", help: "bundle the manager anew", default: "true" },
    { name: "sbom", kind: "boolean", help: "list the packages in the bundle and attach the list", default: "true" },
    {
      name: "sbom-path",
      kind: "string",
      isPath: true,
      help: "file that the list goes to",
      default: "dist/manager.spdx.json",
    },
    { name: "insecure", kind: "boolean", help: "speak plain HTTP with registries of other machines", default: "false" },
    {
      name: "dry-run",
      kind: "boolean",
      help: "read the base, say what would be made, and write nothing",
      default: "false",
    },
    { name: "output", kind: "string", help: "form of the output", default: "text", values: ["text", "json"] },
  ],
  run: async (invocation) => {
    const { runImage } = await import("./run-image.ts");
    return runImage(invocation);
  },
};

import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { IMAGE_FLAGS } from "./image-flags.ts";

/** `scaffold image`: the image of the manager, without Docker. */
export const imageCommand: Command = defineCommand({
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
  flags: IMAGE_FLAGS,
  parse: async (flags, { program }) => {
    const { readImageOptions } = await import("./image-options.ts");
    return readImageOptions(flags, program.name);
  },
  run: async (options, invocation) => {
    const { runImage } = await import("./run-image.ts");
    return runImage(options, invocation);
  },
});

import type { ImageReference } from "../reference.ts";

/** The media type of what cosign signs of an image. */
export const SIMPLE_SIGNING = "application/vnd.dev.cosign.simplesigning.v1+json";

/** Returns the text that cosign signs for an image: its repository and its digest. */
export function simpleSigningPayload({ registry, repository }: ImageReference, digest: string): Uint8Array {
  // Cosign names Docker's registry in full.
  const host = registry === "docker.io" ? "index.docker.io" : registry;
  return Buffer.from(
    JSON.stringify({
      critical: {
        identity: { "docker-reference": `${host}/${repository}` },
        image: { "docker-manifest-digest": digest },
        type: "cosign container image signature",
      },
      optional: null,
    }),
  );
}

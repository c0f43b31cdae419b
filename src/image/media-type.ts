/** Are the media types that images consist of. */
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
export const OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
export const OCI_LAYER_GZIP = "application/vnd.oci.image.layer.v1.tar+gzip";
export const OCI_EMPTY = "application/vnd.oci.empty.v1+json";
export const SPDX_JSON = "application/spdx+json";

const DOCKER_INDEX = "application/vnd.docker.distribution.manifest.list.v2+json";
const DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

/** Is what a registry is asked for when a manifest is wanted. */
export const ACCEPTED_MANIFESTS: string = [OCI_INDEX, OCI_MANIFEST, DOCKER_INDEX, DOCKER_MANIFEST].join(", ");

// What Docker called them first; the bytes are the same.
const OCI_LAYERS: Readonly<Record<string, string>> = {
  "application/vnd.docker.image.rootfs.diff.tar": "application/vnd.oci.image.layer.v1.tar",
  "application/vnd.docker.image.rootfs.diff.tar.gzip": OCI_LAYER_GZIP,
  "application/vnd.docker.image.rootfs.diff.tar.zstd": "application/vnd.oci.image.layer.v1.tar+zstd",
  "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip":
    "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip",
};

/** Reports whether a media type is that of a list of images for several platforms. */
export function isIndex(mediaType: string): boolean {
  return mediaType === OCI_INDEX || mediaType === DOCKER_INDEX;
}

/** Reports whether a media type is that of the manifest of one image. */
export function isManifest(mediaType: string): boolean {
  return mediaType === OCI_MANIFEST || mediaType === DOCKER_MANIFEST;
}

/** Returns the media type of a layer as images of the Open Container Initiative call it. */
export function ociLayerType(mediaType: string): string {
  return OCI_LAYERS[mediaType] ?? mediaType;
}

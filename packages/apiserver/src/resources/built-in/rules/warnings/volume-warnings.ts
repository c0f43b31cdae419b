import { goQuote } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { claimSpecWarnings } from "./amount-warnings.ts";
import { firstOverlaps, type PlacedPath } from "./overlapping-paths.ts";

const REMOVED = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11, and disabled by default in v1.33+",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageos: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
} as const;

/** A kind of volumes that is deprecated. */
export type RemovedSource = keyof typeof REMOVED;

// The path that warnings have.
const WRITTEN: Readonly<Partial<Record<RemovedSource, string>>> = { storageos: "storageOS" };

const SOURCES_OF_PODS = Object.keys(REMOVED) as readonly RemovedSource[];

/** Returns a warning for each of the given kinds of volumes that a source is of. */
export function sourceWarnings(
  source: MutableJsonObject,
  at: string,
  sources: readonly RemovedSource[],
): readonly string[] {
  return sources
    .filter((name) => objectIn(source, name) !== undefined)
    .map((name) => `${at}.${WRITTEN[name] ?? name}: ${REMOVED[name]}`);
}

/** Returns the warnings about the volumes of a Pod. */
export function volumeWarnings(volumes: readonly MutableJsonObject[], at: string): readonly string[] {
  return [
    ...volumes.flatMap((volume, index) => {
      const place = `${at}[${index}]`;
      const claim = objectIn(objectIn(objectIn(volume, "ephemeral"), "volumeClaimTemplate"), "spec");
      return [
        ...sourceWarnings(volume, place, SOURCES_OF_PODS),
        ...claimSpecWarnings(claim, `${place}.ephemeral.volumeClaimTemplate.spec`),
      ];
    }),
    ...firstOverlapWarnings(volumes),
  ];
}

// The number of pairs is the square of that of the paths; headers show 4096 characters of warnings.
const MOST_OVERLAPS = 1000;

function firstOverlapWarnings(volumes: readonly MutableJsonObject[]): readonly string[] {
  const warnings: string[] = [];
  for (const volume of volumes) {
    if (warnings.length >= MOST_OVERLAPS) break;
    for (const warning of overlapWarnings(volume)) warnings.push(warning);
  }
  return warnings;
}

function overlapWarnings(volume: MutableJsonObject): readonly string[] {
  const named = `volume ${goQuote(textIn(volume, "name"))}`;
  const warn = (description: string, paths: readonly PlacedPath[]): readonly string[] =>
    firstOverlaps(paths, MOST_OVERLAPS).map(
      ([path, other]) => `${named} (${description}): overlapping paths: ${printed(path)} with ${printed(other)}`,
    );
  const [map, secret, downward] = ["configMap", "secret", "downwardAPI"].map((name) => objectIn(volume, name));
  const projected = objectsIn(objectIn(volume, "projected"), "sources");
  return [
    ...warn(`ConfigMap ${goQuote(textIn(map, "name"))}`, pathsIn(map, "")),
    ...warn(`Secret ${goQuote(textIn(secret, "secretName"))}`, pathsIn(secret, "")),
    ...warn("DownwardAPI", pathsIn(downward, "")),
    ...projected
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `${named} (Projected) has no sources provided`),
    ...warn(
      "Projected",
      projected.flatMap((source) => projectedPaths(source)),
    ),
  ];
}

function pathsIn(source: MutableJsonObject | undefined, name: string): readonly PlacedPath[] {
  return objectsIn(source, "items").map((item) => ({ path: textIn(item, "path"), source: name }));
}

function projectedPaths(source: MutableJsonObject): readonly PlacedPath[] {
  const [map, secret, downward] = ["configMap", "secret", "downwardAPI"].map((name) => objectIn(source, name));
  const [token, bundle, certificate] = ["serviceAccountToken", "clusterTrustBundle", "podCertificate"].map((name) =>
    objectIn(source, name),
  );
  if (map?.["items"] !== undefined) return pathsIn(map, `ConfigMap ${goQuote(textIn(map, "name"))}`);
  if (secret?.["items"] !== undefined) return pathsIn(secret, `Secret ${goQuote(textIn(secret, "name"))}`);
  if (downward?.["items"] !== undefined) return pathsIn(downward, "DownwardAPI");
  if (token !== undefined) return [{ path: textIn(token, "path"), source: "ServiceAccountToken" }];
  if (bundle !== undefined) {
    const name = bundle["name"] === undefined ? textIn(bundle, "signerName") : textIn(bundle, "name");
    return [{ path: textIn(bundle, "path"), source: `ClusterTrustBundle ${goQuote(name)}` }];
  }
  return CERTIFICATE_PATHS.map(([field, title]) => ({ path: textIn(certificate, field), source: title })).filter(
    ({ path }) => path !== "",
  );
}

const CERTIFICATE_PATHS = [
  ["certificateChainPath", "PodCertificate chain"],
  ["keyPath", "PodCertificate key"],
  ["credentialBundlePath", "PodCertificate credential bundle"],
] as const;

function printed({ path, source }: PlacedPath): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}

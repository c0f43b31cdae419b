import type { Descriptor } from "../descriptor.ts";
import { imageName, type ImageReference } from "../reference.ts";

/** The predicate type of SLSA provenance. */
export const SLSA_PROVENANCE = "https://slsa.dev/provenance/v1";

/** The type of the build, which docs/guides/image.md describes, and the builder: any machine that runs the command. */
const BUILD_TYPE = "https://kubescaffold.dev/scaffold-image/v1";
const BUILDER = "https://kubescaffold.dev/scaffold-image";

/** The commit that a project was built from. */
interface SourceRevision {
  readonly commit: string;
  /** The address of the repository, without credentials. */
  readonly repository: string | undefined;
  /** Files of the commit were changed. */
  readonly isModified: boolean;
}

/** The facts of a build, without those that differ between two builds of the same image. */
export interface BuildFacts {
  readonly base: { readonly name: string; readonly digest: string; readonly isInRegistry: boolean };
  readonly platforms: readonly string[];
  /** The flags that change the image, as they were given. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly source: SourceRevision | undefined;
  /** Files that the bundle is built from, and the bundle, with their SHA-256. */
  readonly lockFile: { readonly name: string; readonly sha256: string } | undefined;
  readonly bundle: { readonly name: string; readonly sha256: string };
  readonly version: string;
}

/** Returns an in-toto statement with the SLSA provenance, version 1, of an image and its manifests. Guarantees: the same facts give the same bytes. */
export function renderProvenance(
  facts: BuildFacts,
  name: ImageReference,
  subjects: readonly Pick<Descriptor, "digest">[],
): Uint8Array {
  const subjectName = imageName({ registry: name.registry, repository: name.repository });
  const { base, platforms, parameters, bundle, version } = facts;
  return Buffer.from(
    JSON.stringify({
      _type: "https://in-toto.io/Statement/v1",
      subject: subjects.map(({ digest }) => ({ name: subjectName, digest: digestSet(digest) })),
      predicateType: SLSA_PROVENANCE,
      predicate: {
        buildDefinition: {
          buildType: BUILD_TYPE,
          externalParameters: { base: base.name, platforms, ...parameters },
          internalParameters: {},
          resolvedDependencies: dependencies(facts),
        },
        runDetails: {
          builder: { id: BUILDER, version: { kubescaffold: version } },
          byproducts: [{ name: bundle.name, digest: { sha256: bundle.sha256 } }],
        },
      },
    }),
  );
}

function dependencies({ base, source, lockFile }: BuildFacts): readonly object[] {
  return [
    ...(source === undefined ? [] : [sourceDependency(source)]),
    { name: "base", ...(base.isInRegistry ? { uri: `docker://${base.name}` } : {}), digest: digestSet(base.digest) },
    ...(lockFile === undefined ? [] : [{ name: lockFile.name, digest: { sha256: lockFile.sha256 } }]),
  ];
}

function sourceDependency({ commit, repository, isModified }: SourceRevision): object {
  return {
    name: "source",
    ...(repository === undefined ? {} : { uri: `git+${repository}@${commit}` }),
    digest: { gitCommit: commit },
    ...(isModified ? { annotations: { modified: true } } : {}),
  };
}

function digestSet(digest: string): Readonly<Record<string, string>> {
  const [algorithm = "", value = ""] = digest.split(":");
  return { [algorithm]: value };
}

import { isDeepStrictEqual } from "node:util";

import { reachNames } from "../loader/reach-names.ts";
import { nameKey, type Declaration, type NameTarget, type TypeModel } from "../loader/type-model.ts";
import type { Artifact, GeneratedCrd, GeneratorInput, GeneratorOutput } from "./generator.ts";

/** The CRDs of a run in which nothing was found wrong, with all that they were made from. */
export interface CrdMemory {
  readonly surroundings: Surroundings;
  readonly kinds: ReadonlyMap<string, KindSources>;
  readonly made: readonly MadeCrd[];
}

/** What all kinds depend on. */
type Surroundings = readonly unknown[];

/** What one kind depends on: declarations by their identity, which lasts while their source is not read again, and what names mean. */
interface KindSources {
  readonly declarations: readonly Declaration[];
  readonly names: ReadonlyMap<string, NameTarget>;
}

interface MadeCrd {
  readonly crd: GeneratedCrd;
  readonly artifact: Artifact;
}

/** Says which kinds must be made again; undefined for all of them. */
export function affectedKinds(memory: CrdMemory | undefined, input: GeneratorInput): ReadonlySet<string> | undefined {
  if (memory === undefined || !isDeepStrictEqual(memory.surroundings, surroundingsOf(input))) return undefined;
  const now = sourcesOfKinds(input.model);
  const ids = [...new Set([...now.keys(), ...memory.kinds.keys()])];
  const changed = ids.filter((id) => !isSame(now.get(id), memory.kinds.get(id)));
  // The versions of a kind make one CRD.
  const names = new Set(changed.map((id) => nameOf(id)));
  return new Set(ids.filter((id) => names.has(nameOf(id))));
}

/** Adds what was not made again to the output of a run that made only some kinds. */
export function joinRemembered(
  output: GeneratorOutput,
  memory: CrdMemory | undefined,
  affected: ReadonlySet<string> | undefined,
): GeneratorOutput {
  if (memory === undefined || affected === undefined) return output;
  const names = new Set([...affected].map((id) => nameOf(id)));
  const kept = memory.made.filter(({ crd }) => !names.has(crd.draft.kind));
  const made = [...kept, ...madeBy(output)].toSorted((left, right) => compareBytes(keyOf(left), keyOf(right)));
  return { ...output, artifacts: made.map((each) => each.artifact), crds: made.map((each) => each.crd) };
}

/** Returns what is to be remembered of a run in which nothing was found wrong. */
export function rememberCrds(input: GeneratorInput, output: GeneratorOutput): CrdMemory | undefined {
  if (output.artifacts.length !== output.crds?.length) return undefined;
  return { surroundings: surroundingsOf(input), kinds: sourcesOfKinds(input.model), made: madeBy(output) };
}

function madeBy({ artifacts, crds = [] }: GeneratorOutput): readonly MadeCrd[] {
  return crds.flatMap((crd, index) => {
    const artifact = artifacts[index];
    return artifact === undefined ? [] : [{ crd, artifact }];
  });
}

// Where a marker of a package stands makes no difference to what it says.
function surroundingsOf({ model, marked, header, options }: GeneratorInput): Surroundings {
  const { packages, declarations: _declarations, names: _names, ...others } = model;
  const folders = packages.map(({ directory, name, files }) => [
    directory,
    name,
    files.map((file) => [file.path, file.isRoot]),
    (marked.packages.get(directory) ?? []).map((marker) => [marker.name, marker.value]),
  ]);
  return [header, options, folders, others];
}

function sourcesOfKinds(model: TypeModel): ReadonlyMap<string, KindSources> {
  const resolver = {
    resolve: (file: string, name: string): NameTarget =>
      model.names.get(nameKey(file, name)) ?? { kind: "missing", reason: "" },
  };
  const ids = model.packages.flatMap((each) => each.kinds);
  return new Map(
    ids.map((id) => {
      const reached = reachNames({ resolver, declarationOf: (each) => model.declarations.get(each), from: [id] });
      return [id, { declarations: [...reached.declarations.values()], names: reached.names }];
    }),
  );
}

function isSame(left: KindSources | undefined, right: KindSources | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const hasSame =
    left.declarations.length === right.declarations.length &&
    left.declarations.every((each, index) => each === right.declarations[index]);
  return hasSame && isDeepStrictEqual(left.names, right.names);
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("#") + 1);
}

function keyOf({ crd }: MadeCrd): string {
  return `${crd.draft.kind}.${crd.draft.group}`;
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

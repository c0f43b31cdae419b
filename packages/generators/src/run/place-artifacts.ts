import path from "node:path";

import type { OutputRule } from "../arguments/parse-arguments.ts";
import type { Artifact } from "../contract/generator.ts";
import { errorWithoutPlace, type Diagnostic } from "../diagnostics/diagnostic.ts";

/** One file that a generator wants written; `path` is relative to the root with forward slashes, or absolute. */
export interface GeneratedFile {
  /** The path, relative to the folder of the run. */
  readonly path: string;
  /** The text of the file. */
  readonly content: string;
}

/** The files of one generator, and the rule for them. */
export interface PlacedOutput {
  readonly generator: string;
  readonly artifacts: readonly Artifact[];
  readonly output: OutputRule;
}

/** Where everything goes. */
export interface Placement {
  readonly files: readonly GeneratedFile[];
  readonly stdout: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Gives every artifact its place by the output rules; two of one place are an error, since one would be lost. */
export function placeArtifacts(outputs: readonly PlacedOutput[]): Placement {
  const owners = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const files = outputs.flatMap(({ generator, artifacts, output }) =>
    artifacts.flatMap((artifact): readonly GeneratedFile[] => {
      const place = placeOf(artifact, output);
      if (place === undefined) return [];
      const key = path.posix.normalize(place);
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, generator);
      else diagnostics.push(collision(key, [owner, generator]));
      return [{ path: key, content: contentAt(artifact, path.posix.dirname(key)) }];
    }),
  );
  const printed = outputs.filter(({ output }) => output.kind === "stdout");
  const stdout = printed.flatMap(({ artifacts }) => artifacts.map((each) => each.content)).join("");
  return { files, stdout, diagnostics };
}

function placeOf(artifact: Artifact, output: OutputRule): string | undefined {
  switch (output.kind) {
    case "none":
    case "stdout":
      return undefined;
    case "directory":
      return path.posix.join(withSlashes(output.path), artifact.name);
    case "artifacts": {
      if (artifact.kind === "config") return path.posix.join(withSlashes(output.config), artifact.name);
      return path.posix.join(output.code === undefined ? artifact.directory : withSlashes(output.code), artifact.name);
    }
  }
}

function contentAt(artifact: Artifact, folder: string): string {
  if (artifact.kind === "config" || artifact.contentIn === undefined) return artifact.content;
  return path.posix.normalize(artifact.directory) === folder ? artifact.content : artifact.contentIn(folder);
}

function withSlashes(folder: string): string {
  return folder.split(path.sep).join("/");
}

function collision(file: string, [first, second]: readonly [string, string]): Diagnostic {
  const makers = first === second ? `${first} generates` : `${first} and ${second} generate`;
  return errorWithoutPlace({
    code: "GENERATE_OUTPUT_COLLISION",
    message: `cannot generate: ${makers} the file ${file} twice`,
    hint: "use different folders in the output rules, such as output:crd:dir=… and output:rbac:dir=…",
  });
}

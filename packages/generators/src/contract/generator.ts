import type { KubernetesMinor } from "@kubescaffold/k8s";

import type { CrdDraft } from "../crd/model/crd-object.ts";
import type { StructLookup } from "../crd/model/known-schemas.ts";
import type { SchemaNode } from "../crd/model/schema-node.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceHost } from "../loader/source-host.ts";
import type { SourceLocation, TypeModel } from "../loader/type-model.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import type { MarkedModel } from "../markers/read-markers.ts";
import type { MemoizePart } from "./memoize-parts.ts";

/** The options of a generator as they were given, by name. */
export type GeneratorOptions = Readonly<Record<string, MarkerValue>>;

/** What a generator works on. */
export interface GeneratorInput {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  readonly structSchema: StructLookup;
  /** The minor version of Kubernetes whose built-in structs are used. */
  readonly kubernetesVersion: KubernetesMinor;
  readonly host: SourceHost;
  /** The folder that relative paths of options start from, absolute. */
  readonly root: string;
  readonly options: GeneratorOptions;
  readonly memoize: MemoizePart;
  /** The text of `headerFile=`, with the year; empty when none is asked for. */
  readonly header: string;
}

/** A file that a generator makes; where it goes is a matter of the output rules. */
export type Artifact =
  /** Something for a cluster, of no package; `name` is within the folder of configuration. */
  | { readonly kind: "config"; readonly name: string; readonly content: string }
  /** Code of one package, which goes beside its sources unless a rule says otherwise; `directory` is relative to the root. */
  | {
      readonly kind: "code";
      readonly directory: string;
      readonly name: string;
      readonly content: string;
      /** Returns the content for another folder, where what is imported is elsewhere. */
      readonly contentIn?: (directory: string) => string;
    };

/** The names that a CRD takes in its group, where no other may have them, and the position of its kind. */
export interface CrdNames extends Pick<CrdDraft, "group" | "kind" | "plural" | "singular" | "shortNames"> {
  readonly location: SourceLocation;
}

/** A CRD as it was made, for the checks. */
export interface GeneratedCrd {
  readonly draft: CrdDraft;
  /** The schema of each version by its name, with the places that its parts come from. */
  readonly schemas: ReadonlyMap<string, SchemaNode>;
  /** The CRD as it is written, without the header. */
  readonly yaml: string;
}

/** What a generator made, and what is wrong with its sources. */
export interface GeneratorOutput {
  readonly artifacts: readonly Artifact[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it depends on more than its input, such as another program, so that the run cannot be remembered. */
  readonly dependsOnMore?: boolean;
  /** The CRDs that this run generated, for the checks. */
  readonly crds?: readonly GeneratedCrd[];
  /** The names of the CRDs from the cache, which have no findings. */
  readonly cachedCrds?: readonly CrdNames[];
}

/** Makes files from sources; it writes none. */
export type Generator = (input: GeneratorInput) => GeneratorOutput | Promise<GeneratorOutput>;

/** Reads files as they were in a commit. */
export interface RevisionReader {
  /** Reads the files directly in a folder, which is relative to the root; a revision is a commit, branch or tag. */
  readonly readFolder: (revision: string, folder: string) => Promise<RevisionFiles>;
}

/** The files of a folder in a commit, or why there are none. */
export type RevisionFiles =
  | { readonly kind: "files"; readonly files: readonly { readonly name: string; readonly text: string }[] }
  | { readonly kind: "missing"; readonly reason: string };

/** What a check looks at: the CRDs of one generator, with all that it was given. */
export interface CheckInput extends GeneratorInput {
  readonly crds: readonly GeneratedCrd[];
  /** The names of those that an earlier run checked. */
  readonly cachedCrds: readonly CrdNames[];
  /** The folder that the CRDs go to, relative to the root; undefined when they go to none. */
  readonly outputFolder?: string | undefined;
  readonly revisions?: RevisionReader | undefined;
}

/** Finds what is wrong with CRDs that upstream's rules let pass. */
export type Check = (input: CheckInput) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;

import { deepClone } from "@kubescaffold/k8s";

import type { ServerContext } from "../../pipeline/server-context.ts";
import {
  builtInJsonSchema,
  type ResolvableSchema,
  publishedResolver,
} from "../../resources/built-in/built-in-json-schema.ts";
import { mergedCustomSchema } from "../../resources/custom/custom-types.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { RuleMatch } from "../rule-matching.ts";
import type { VersionedAttributes } from "../versioned-attributes.ts";

/** The object of a write in a version that policies see, which their mutations replace. */
export class MutatedView {
  readonly match: RuleMatch;
  readonly #context: ServerContext;
  #attributes: VersionedAttributes;
  #isDirty = false;

  constructor(context: ServerContext, attributes: VersionedAttributes, match: RuleMatch) {
    this.#context = context;
    this.#attributes = attributes;
    this.match = match;
  }

  /** The write with the object as it is now. */
  get attributes(): VersionedAttributes {
    return this.#attributes;
  }

  get object(): ApiObject | undefined {
    return this.#attributes.object;
  }

  /** Whether a mutation was applied, also one without effect. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** Whether a CustomResourceDefinition defines the kind. */
  get isCustom(): boolean {
    return this.#context.resources.findByKind(this.match.kind)?.isCustom === true;
  }

  /** Whether the document of the version has the kind, as it has those of resources. */
  get hasSchema(): boolean {
    return this.#context.resources.findByKind(this.match.kind) !== undefined;
  }

  /** Returns why a changed object cannot be converted; upstream does not convert those of built-in kinds to the version of the request. */
  conversionProblem(): string | undefined {
    const { kind: own } = this.#attributes;
    const { version, kind } = this.match.kind;
    if (this.isCustom || (own.version === version && own.kind === kind)) return undefined;
    return `converting (${version}.${kind}) to (${own.version}.${own.kind}): unknown conversion`;
  }

  /** Decodes a changed object, and sets its defaults. The input may be changed. */
  decode(changed: ApiObject, decoding: { readonly unknownFields?: string[]; readonly isMerged?: boolean }): ApiObject {
    const { kind, normalize } = this.#attributes;
    const { group, version } = this.match.kind;
    return kind.group === group && kind.version === version
      ? normalize(changed, decoding)
      : this.#context.versions.complete(changed, this.match.resource, decoding);
  }

  /** Returns the schema by which apply configurations are merged. */
  mergeSchema(): ResolvableSchema {
    const { resources, release } = this.#context;
    const { kind } = this.match;
    const schema = this.isCustom
      ? mergedCustomSchema(resources.schemaOf(kind))
      : builtInJsonSchema(release.api, kind).schema;
    return { schema, resolve: publishedResolver(release.api) };
  }

  replace(object: ApiObject): void {
    this.#attributes = { ...this.#attributes, object };
    this.#isDirty = true;
  }

  /** Returns the object in the version of the request. */
  async requested(): Promise<ApiObject | undefined> {
    const { object, requested } = this.#attributes;
    return object && (await requested(deepClone(object)));
  }
}

import type { Clock } from "@kubescaffold/platform/clock";

import { badRequest, untransformable } from "../request/failures.ts";
import type { OutputFormat } from "../request/request-context.ts";
import type { ResourceType, TableColumns } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { type EncodableList, listMetadata } from "./encode-list.ts";

/** Turns objects into what a client asked for in their place: tables, or metadata alone. */
export interface ObjectTransform {
  one(object: ApiObject): object;
  list(list: EncodableList): object;
  /** Turns the object of a bookmark, which has nothing but a resourceVersion. */
  bookmark(object: ApiObject): object;
}

interface TransformInput {
  readonly output: OutputFormat;
  readonly type: ResourceType;
  readonly query: URLSearchParams;
  readonly clock: Clock;
}

/** Creates the transform of a request, if it asks for one. */
export async function createTransform(input: TransformInput): Promise<ObjectTransform | undefined> {
  const { transform } = input.output;
  if (transform === undefined) {
    return undefined;
  }
  const apiVersion = `meta.k8s.io/${transform.version}`;
  switch (transform.as) {
    case "Table":
      return new TableTransform(input, await input.type.columns(), apiVersion);
    case "PartialObjectMetadata":
      return metadataTransform(input, apiVersion);
    case "PartialObjectMetadataList":
      return metadataListTransform(input, apiVersion);
  }
}

type IncludeObject = "None" | "Metadata" | "Object";

class TableTransform implements ObjectTransform {
  readonly #input: TransformInput;
  readonly #columns: TableColumns;
  readonly #apiVersion: string;
  readonly #include: IncludeObject;
  #hasSentDefinitions = false;

  constructor(input: TransformInput, columns: TableColumns, apiVersion: string) {
    this.#input = input;
    this.#columns = columns;
    this.#apiVersion = apiVersion;
    this.#include = parseInclude(input.query);
  }

  one(object: ApiObject): object {
    return this.#table({ resourceVersion: object.metadata.resourceVersion }, [object]);
  }

  list(list: EncodableList): object {
    const read = this.#input.type.strategy().fromStored;
    return this.#table(
      listMetadata(list),
      list.items.map((item) => read(item)),
    );
  }

  bookmark(object: ApiObject): object {
    const row = { cells: [], object: this.#rowObject(object) };
    return { kind: "Table", apiVersion: this.#apiVersion, metadata: {}, columnDefinitions: [], rows: [row] };
  }

  #table(metadata: unknown, objects: readonly ApiObject[]): object {
    const nowMs = this.#input.clock.now();
    // Of a watch only the first event states the columns.
    const definitions = this.#hasSentDefinitions ? null : this.#columns.definitions;
    this.#hasSentDefinitions = true;
    return {
      kind: "Table",
      apiVersion: this.#apiVersion,
      metadata,
      columnDefinitions: definitions,
      rows: objects.map((object) => ({
        cells: this.#columns.cells(object, nowMs),
        ...(this.#include === "None" ? { object: null } : { object: this.#rowObject(object) }),
      })),
    };
  }

  #rowObject(object: ApiObject): object {
    return this.#include === "Object" ? object : partialMetadata(object, this.#apiVersion);
  }
}

function parseInclude(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "";
  switch (value) {
    case "":
    case "Metadata":
      return "Metadata";
    case "None":
    case "Object":
      return value;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}

function partialMetadata({ metadata }: ApiObject, apiVersion: string): object {
  return { kind: "PartialObjectMetadata", apiVersion, metadata };
}

function metadataTransform({ type }: TransformInput, apiVersion: string): ObjectTransform {
  return {
    one: (object) => partialMetadata(object, apiVersion),
    bookmark: (object) => partialMetadata(object, apiVersion),
    list: () => {
      throw untransformable(
        `you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(type, "List")})`,
      );
    },
  };
}

function metadataListTransform({ type }: TransformInput, apiVersion: string): ObjectTransform {
  const refuse = (): never => {
    throw untransformable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(type, "")})`,
    );
  };
  return {
    one: refuse,
    bookmark: refuse,
    list: (list) => ({
      kind: "PartialObjectMetadataList",
      apiVersion,
      metadata: listMetadata(list),
      items: list.items.map((item) => partialMetadata(type.strategy().fromStored(item), apiVersion)),
    }),
  };
}

function goTypeOf({ isCustom, kind }: ResourceType, suffix: string): string {
  return isCustom ? `*unstructured.Unstructured${suffix}` : `*core.${kind}${suffix}`;
}

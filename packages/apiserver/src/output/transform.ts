import { type Clock, eachInTurns } from "@kubescaffold/platform/clock";

import { badRequest, untransformable } from "../request/failures.ts";
import type { OutputFormat } from "../request/request-context.ts";
import type { ResourceType, TableColumns } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { type EncodableList, listMetadata, type LongObject } from "./encode-list.ts";

/** Turns objects into what a client asked for in their place: tables, or metadata alone. */
export interface ObjectTransform {
  one(object: ApiObject): object;
  /** Guarantees: does not block the event loop. */
  list(list: EncodableList): Promise<LongObject>;
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
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return { ...this.#head(metadata), rows: [this.#row(object, this.#input.clock.now())] };
  }

  async list(list: EncodableList): Promise<LongObject> {
    const read = this.#input.type.strategy().fromStored;
    const nowMs = this.#input.clock.now();
    const parts = await eachInTurns(list.items, (item) => this.#row(read(item), nowMs));
    return { head: this.#head(listMetadata(list)), member: "rows", parts };
  }

  bookmark(object: ApiObject): object {
    const row = { cells: [], object: this.#rowObject(object) };
    return { kind: "Table", apiVersion: this.#apiVersion, metadata: {}, columnDefinitions: [], rows: [row] };
  }

  #head(metadata: object): object {
    // Of a watch only the first event states the columns.
    const columnDefinitions = this.#hasSentDefinitions ? null : this.#columns.definitions;
    this.#hasSentDefinitions = true;
    return { kind: "Table", apiVersion: this.#apiVersion, metadata, columnDefinitions };
  }

  #row(object: ApiObject, nowMs: number): object {
    const cells = this.#columns.cells(object, nowMs);
    return { cells, object: this.#include === "None" ? null : this.#rowObject(object) };
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
    list: async (list) => ({
      head: { kind: "PartialObjectMetadataList", apiVersion, metadata: listMetadata(list) },
      member: "items",
      parts: await eachInTurns(list.items, (item) => partialMetadata(type.strategy().fromStored(item), apiVersion)),
    }),
  };
}

function goTypeOf({ isCustom, kind }: ResourceType, suffix: string): string {
  return isCustom ? `*unstructured.Unstructured${suffix}` : `*core.${kind}${suffix}`;
}

import { messageOf, type RestConfig, StatusError } from "@kubescaffold/k8s";
import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";
import { createRestClient, redactSecrets, type RestMapper, type RestRequest } from "@kubescaffold/runtime";

import type { ApplyRequest, DeleteRequest, WriteResult } from "../contract/protocol.ts";
import type { ApiAnswer } from "../http/page-server.ts";
import { pathOf, yamlOf } from "./object-reads.ts";

/** The field manager and the user of the page's writes. */
export const DASHBOARD_USER = "dashboard";

/** Writes objects for the page, as the user of a config. */
export class ObjectWrites {
  readonly #config: RestConfig;
  readonly #mapper: RestMapper;

  constructor(config: RestConfig, mapper: RestMapper) {
    this.#config = { ...config, userAgent: DASHBOARD_USER };
    this.#mapper = mapper;
  }

  /** Creates or updates an object with server-side apply, or only validates it. */
  async apply({ text, isDryRun }: ApplyRequest): Promise<ApiAnswer> {
    const object = readObject(text);
    if (typeof object === "string") return refused(422, object);
    const { apiVersion, kind } = object;
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
    return await this.#send(async () => {
      const { gvr, scope } = await this.#mapper.restMapping({ group: group ?? "", version: version ?? "", kind });
      const namespace = scope === "namespaced" ? textOf(object.metadata["namespace"]) || "default" : "";
      return {
        method: "PATCH",
        path: pathOf({ apiVersion, resource: gvr.resource, namespace, name: textOf(object.metadata["name"]) }),
        query: {
          fieldManager: DASHBOARD_USER,
          force: "true",
          fieldValidation: "Strict",
          dryRun: isDryRun ? "All" : undefined,
        },
        contentType: "application/apply-patch+yaml",
        body: object,
      };
    });
  }

  /** Deletes an object. */
  async delete(address: DeleteRequest): Promise<ApiAnswer> {
    return await this.#send(() => ({ method: "DELETE", path: pathOf(address) }));
  }

  async #send(request: () => RestRequest | Promise<RestRequest>): Promise<ApiAnswer> {
    const warnings: string[] = [];
    const rest = createRestClient(this.#config, { warningHandler: ({ text }) => void warnings.push(text) });
    try {
      const body = redactSecrets(await rest.request(await request()));
      const result: WriteResult = { kind: "written", yaml: yamlOf(body), warnings };
      return { status: 200, body: result };
    } catch (error) {
      return failureOf(error);
    } finally {
      await rest.close();
    }
  }
}

interface AppliedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

// Returns the message of what is wrong with a text.
function readObject(text: string): AppliedObject | string {
  let documents: readonly unknown[];
  try {
    documents = readYamlDocuments(text, { file: "object" }).filter((document) => document !== null);
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    throw error;
  }
  const [object] = documents;
  if (documents.length !== 1 || !isRecord(object)) return `cannot apply ${String(documents.length)} objects: enter one`;
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return "apiVersion and kind are required";
  if (!isRecord(metadata) || typeof metadata["name"] !== "string") return "metadata.name is required";
  // Those of the object that the page read; an apply must not have them.
  const { managedFields: _, ...rest } = metadata;
  return { ...object, apiVersion, kind, metadata: rest };
}

function failureOf(error: unknown): ApiAnswer {
  if (!(error instanceof StatusError)) return refused(422, messageOf(error));
  const { code = 500, message = "", details } = error.status;
  const causes = (details?.causes ?? []).map((cause) => ({ field: cause.field ?? "", message: cause.message ?? "" }));
  const body: WriteResult = { kind: "refused", message, causes };
  return { status: code, body };
}

function refused(status: number, message: string): ApiAnswer {
  const body: WriteResult = { kind: "refused", message, causes: [] };
  return { status, body };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

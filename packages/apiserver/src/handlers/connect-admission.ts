import { badRequest } from "../request/failures.ts";
import { proxiedPath, queryFlag, type RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "../resources/registry.ts";
import type { JsonObject } from "../storage/api-object.ts";
import { admissionAttributes, type HandlerEnvironment } from "./write-request.ts";

/** A connection to a container, a Pod, or a Service. */
export interface Connect {
  readonly context: RequestContext;
  readonly type: ResourceType;
  /** The kind of its options, such as `PodExecOptions`. */
  readonly optionsKind: string;
}

/** Admits a stream or a proxy as the operation CONNECT, whose object has the options of the request. Fails: with the status of the plugin that denies it. */
export async function admitConnect(
  environment: Pick<HandlerEnvironment, "admission">,
  { context, type, optionsKind }: Connect,
): Promise<void> {
  const { query } = context.request;
  if ((query.get("dryRun") ?? "") !== "") throw badRequest("dryRun is not supported");
  const attributes = admissionAttributes(
    {
      context,
      type,
      operation: "CONNECT",
      kind: { group: "", version: "v1", kind: optionsKind },
      isDryRun: false,
      options: null,
    },
    {
      name: context.info.name,
      object: { kind: optionsKind, apiVersion: "v1", ...optionsOf(optionsKind, context), metadata: {} },
    },
  );
  const object = (await environment.admission.mutate(attributes)) ?? attributes.object;
  await environment.admission.validate({ ...attributes, object });
}

function optionsOf(kind: string, context: RequestContext): JsonObject {
  const { query } = context.request;
  if (kind === "PodPortForwardOptions") {
    const ports = query.getAll("ports").flatMap((text) => text.split(",").map(Number));
    return ports.length === 0 ? {} : { ports };
  }
  if (kind.endsWith("ProxyOptions")) {
    const path = proxiedPath(context.request.path);
    return path === "" ? {} : { path };
  }
  const container = query.get("container") ?? "";
  const command = query.getAll("command");
  return {
    ...flag(query, "stdin"),
    ...flag(query, "stdout"),
    ...flag(query, "stderr"),
    ...flag(query, "tty"),
    ...(container === "" ? {} : { container }),
    ...(kind === "PodExecOptions" && command.length > 0 ? { command } : {}),
  };
}

function flag(query: URLSearchParams, name: string): JsonObject {
  return queryFlag(query, name) ? { [name]: true } : {};
}

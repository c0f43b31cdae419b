import { apiVersionOf, isRecord } from "@kubescaffold/k8s";

import { toTime } from "../clock/clock.ts";
import type { VirtualResource } from "../pipeline/extension-points.ts";
import { decodeBody, statedGvk } from "../request/body.ts";
import { badRequest } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { createBuiltInStrategy } from "../resources/built-in/built-in-strategy.ts";
import { requireNamespace } from "../resources/object-meta.ts";
import type { ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { managerName } from "./field-management/managers.ts";
import { trackUpdate } from "./field-management/track-update.ts";
import {
  admissionOptions,
  parseWriteOptions,
  admissionAttributes,
  rephrasing,
  reportStrictProblems,
  strictTexts,
  type HandlerEnvironment,
} from "./write-request.ts";

/** Answers a create of a resource that is not stored. */
export async function handleVirtualCreate(
  environment: HandlerEnvironment,
  context: RequestContext,
  type: ResourceType,
  virtual: VirtualResource,
): Promise<ApiObject> {
  const { kind } = virtual;
  const options = parseWriteOptions(context.request.query, "CreateOptions");
  const body = await decodeBody(context, kind);
  const stated = statedGvk(body, kind.kind);
  if (apiVersionOf(stated) !== apiVersionOf(kind) || stated.kind !== kind.kind) {
    throw badRequest(
      `the API version in the data (${apiVersionOf(stated)}, Kind=${stated.kind}) does not match the expected API version (${apiVersionOf(kind)}, Kind=${kind.kind})`,
    );
  }
  const { metadata, ...rest } = body.value;
  const unknownFields: string[] = [];
  const strategy = createBuiltInStrategy(kind, {}, new Set());
  const object = rephrasing(body, () =>
    strategy.decode(
      { ...rest, kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: isRecord(metadata) ? metadata : {} },
      { unknownFields },
    ),
  );
  reportStrictProblems({
    problems: body.unknownFieldTexts?.(unknownFields) ?? strictTexts(body.duplicateFields, unknownFields),
    options,
    context,
    refuse: (texts) =>
      badRequest(
        `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${texts}`,
      ),
  });
  context.audit?.noteObject(object);
  const { namespace, name, subresource } = context.info;
  if (namespace !== "") requireNamespace(object, namespace);
  trackUpdate({
    type: { ...kind, subresourceTypes: [] },
    before: undefined,
    after: object,
    manager: {
      manager: managerName(options.fieldManager, context.request.header("user-agent")),
      operation: "Update",
      apiVersion: apiVersionOf(kind),
      subresource,
    },
    now: toTime(environment.clock.now()),
  });
  const attributes = admissionAttributes(
    {
      context,
      type,
      operation: "CREATE",
      kind,
      subresource,
      isDryRun: options.isDryRun,
      options: admissionOptions("CreateOptions", options),
    },
    { name, object },
  );
  const admitted = (await environment.admission.mutate(attributes)) ?? object;
  await environment.admission.validate({ ...attributes, object: admitted });
  return virtual.create({
    user: context.user,
    namespace,
    name,
    object: admitted,
    isDryRun: options.isDryRun,
    annotate: attributes.annotate,
  });
}

import { apiVersionOf, toTime } from "@kubescaffold/k8s";

import type { VirtualResource } from "../pipeline/extension-points.ts";
import type { RequestContext } from "../request/request-context.ts";
import { requireNamespace } from "../resources/object-meta.ts";
import type { ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { decodeKind } from "./decode-kind.ts";
import { managerName } from "./field-management/managers.ts";
import { trackUpdate } from "./field-management/track-update.ts";
import { admissionOptions, parseWriteOptions, admissionAttributes, type HandlerEnvironment } from "./write-request.ts";

/** Answers a create of a resource that is not stored. */
export async function handleVirtualCreate(
  environment: HandlerEnvironment,
  context: RequestContext,
  type: ResourceType,
  virtual: VirtualResource,
): Promise<ApiObject> {
  const { kind } = virtual;
  const options = parseWriteOptions(context.request.query, "CreateOptions");
  const object = await decodeKind(context, {
    release: type.release,
    kind,
    otherVersions: virtual.otherVersions,
    options,
  });
  context.audit?.noteObject(object);
  const { namespace, name, subresource } = context.info;
  if (namespace !== "") requireNamespace(object, namespace);
  trackUpdate({
    type: { ...kind, release: type.release, subresourceTypes: [] },
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

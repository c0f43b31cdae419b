import { isNotFound, toTime } from "@kubescaffold/k8s";
import type { FlowSchema } from "@kubescaffold/k8s/flowcontrol/v1";

import type { ControllerIdentity } from "../controllers/define-controller.ts";
import { storeController, targetOf } from "../controllers/store-controller.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { FLOW_SCHEMAS, PRIORITY_LEVELS } from "./flow-classifier.ts";

const FIELD_MANAGER = "api-priority-and-fairness-config-consumer-v1";

/** Keeps the condition `Dangling` of FlowSchemas: whether their priority level does not exist. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const { objects } = context;
  const client = context.clientFor(self.user);
  const schemas = (): readonly ApiObject[] => objects.list(FLOW_SCHEMAS);
  return storeController({
    name: self.name,
    context,
    watches: [FLOW_SCHEMAS, PRIORITY_LEVELS],
    keysOf: ({ groupResource, object: { metadata } }) =>
      groupResource.resource === FLOW_SCHEMAS.resource
        ? [metadata.name ?? ""]
        : schemas()
            .filter((schema) => levelOf(schema) === metadata.name)
            .map((schema) => schema.metadata.name ?? ""),
    initialKeys: () => schemas().map(({ metadata }) => metadata.name ?? ""),
    work: async (name) => {
      const schema = objects.get(FLOW_SCHEMAS, { namespace: "", name });
      if (schema === undefined) return;
      const level = levelOf(schema);
      const isFound = objects.get(PRIORITY_LEVELS, { namespace: "", name: level }) !== undefined;
      const wanted = danglingCondition(level, isFound);
      if (isCurrent(schema, wanted)) return;
      const condition = { ...wanted, lastTransitionTime: toTime(context.clock.now()) };
      const { apiVersion, kind } = schema;
      try {
        await client.patch(targetOf({ ...FLOW_SCHEMAS, version: "v1" }, schema, "status"), {
          contentType: "application/apply-patch+yaml",
          query: { fieldManager: FIELD_MANAGER, force: "true" },
          body: { apiVersion, kind, metadata: { name }, status: { conditions: [condition] } },
        });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}

function levelOf(schema: ApiObject): string {
  return (schema as unknown as FlowSchema).spec?.priorityLevelConfiguration.name ?? "";
}

interface DanglingCondition {
  readonly type: "Dangling";
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function danglingCondition(level: string, isFound: boolean): DanglingCondition {
  const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return {
    type: "Dangling",
    status: isFound ? "False" : "True",
    reason: isFound ? "Found" : "NotFound",
    message: isFound ? `${subject} and it exists` : `${subject} but there is no such object`,
  };
}

function isCurrent(schema: ApiObject, { status, reason, message }: DanglingCondition): boolean {
  const { conditions = [] } = (schema as unknown as FlowSchema).status ?? {};
  const found = conditions.find(({ type }) => type === "Dangling");
  return found?.status === status && found.reason === reason && found.message === message;
}

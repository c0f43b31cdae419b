import { apiVersionOf, gvkToString } from "@kubescaffold/k8s";
import { deepEqual, type JsonObject } from "@kubescaffold/schema";

import { toTime } from "../clock/clock.ts";
import { parseApplyOptions, type ApplyOptions } from "../request/apply-options.ts";
import { plainError } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { deepClone } from "../storage/deep-clone.ts";
import { readApplied, statesVersion } from "./apply.ts";
import { applyToObject, firstOwners, withoutOwners } from "./field-management/apply-object.ts";
import type { Manager } from "./field-management/managers.ts";
import { ownersAfterScale, ownersOfScale, SCALE_VERSION, type ScaledOwners } from "./field-management/scale-owners.ts";
import type { HandlerEnvironment } from "./handler-environment.ts";
import { asScale, SCALE, toScale, withOwners, writeScale, type ScaleInput } from "./scale.ts";

/** Applies what one owner states to the scale of an object (server-side apply): who owns its replicas owns those of the object. */
export async function handleApplyScale(environment: HandlerEnvironment, input: ScaleInput): Promise<ApiObject> {
  const { context } = input;
  context.output();
  const options = parseApplyOptions(context.request.query);
  const applied = await readApplied(context);
  const now = toTime(environment.clock.now());
  return writeScale(environment, {
    ...input,
    options,
    retriesConflicts: !statesVersion(applied),
    change: (old) => asScale(deepClone(mergedScale({ ...input, applied, options, now, old })), input),
    ownersAfter: (old, { metadata }) => ownersAfterScale(ownedOf({ ...input, now, old }), metadata.managedFields ?? []),
  });
}

interface ScaleOfObject extends ScaleInput {
  readonly old: ApiObject;
  readonly now: string;
}

interface AppliedScale extends ScaleOfObject {
  readonly applied: JsonObject;
  readonly options: ApplyOptions;
}

function mergedScale(input: AppliedScale): JsonObject {
  const { applied, options, old, scale, now } = input;
  const manager: Manager = {
    manager: options.fieldManager,
    operation: "Apply",
    apiVersion: SCALE_VERSION,
    subresource: "scale",
  };
  const live = withOwners(toScale(old, scale), ownersOfScale(ownedOf(input)));
  const apply = { type: SCALE, live, applied, manager, force: options.force, now, isTracked: true };
  const merged = applyToObject(apply);
  checkConvertible(input, { live, merged });
  return merged;
}

// Real servers have no way from a scale that an apply has changed to a custom resource.
function checkConvertible(
  { type, applied }: AppliedScale,
  { live, merged }: { readonly live: ApiObject; readonly merged: JsonObject },
): void {
  if (!type.isCustom || deepEqual(withoutOwners(live), withoutOwners(merged as unknown as ApiObject))) return;
  const { name = "", namespace = "" } = (applied["metadata"] ?? {}) as { name?: string; namespace?: string };
  throw plainError(
    `failed to convert new object (${namespace}/${name}; ${gvkToString(SCALE)}) to proper version: request to convert CR to an invalid group/version: ${SCALE_VERSION}`,
  );
}

function ownedOf({ type, scale, old, now }: ScaleOfObject): ScaledOwners {
  const entries = old.metadata.managedFields ?? firstOwners(type, old, now);
  return { entries, apiVersion: apiVersionOf(type), replicas: scale.specReplicas };
}

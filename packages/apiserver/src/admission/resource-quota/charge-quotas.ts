import { compareQuantities } from "@kubescaffold/k8s";
import type { ResourceQuota } from "@kubescaffold/k8s/core/v1";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import {
  type Amounts,
  growthOf,
  hasSameAmounts,
  maskAmounts,
  printAmounts,
  sumAmounts,
  withoutZeros,
} from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";
import { evaluatorOf, scopesOf } from "./evaluators.ts";

const RESOURCE_QUOTAS = { group: "", resource: "resourcequotas" } as const;

type Context = Pick<ServerContext, "objects" | "clock" | "changeStored">;

/**
 * Adds the usage of a written object to the quotas that count it, at once: nothing is charged if one of them is exceeded, or in a dry run.
 *
 * Fails: with 403.
 */
export function chargeQuotas(context: Context, attributes: AdmissionAttributes): void {
  const { resource, namespace, object, isDryRun } = attributes;
  const evaluator = evaluatorOf(resource);
  if (evaluator === undefined || object === undefined || !evaluator.handles(attributes)) return;
  const quotas = context.objects.list(RESOURCE_QUOTAS, namespace) as unknown as readonly ResourceQuota[];
  const charge = { attributes, evaluator, object, nowMs: context.clock.now() };
  const charged = quotas
    .filter((quota) => isCounted(charge, quota))
    .map((quota) => ({ quota, used: usedWith(charge, quota) }));
  if (isDryRun) return;
  for (const { quota, used } of charged) {
    if (hasSameAmounts(used, usedOf(quota))) continue;
    context.changeStored(RESOURCE_QUOTAS, { namespace, name: quota.metadata.name ?? "" }, (stored) => {
      stored["status"] = { ...(stored["status"] as object), used };
    });
  }
}

interface Charge {
  readonly attributes: AdmissionAttributes;
  readonly evaluator: Evaluator;
  readonly object: ApiObject;
  readonly nowMs: number;
}

function isCounted({ attributes, evaluator, object }: Charge, quota: ResourceQuota): boolean {
  if (!matches(evaluator, quota, object)) return false;
  const name = quota.metadata.name ?? "";
  const restricted = evaluator.matchingNames(Object.keys(hardOf(quota)));
  const problem = evaluator.constraint?.(restricted, object);
  if (problem !== undefined) throw refusal(attributes, `failed quota: ${name}: ${problem}`);
  if (restricted.some((each) => usedOf(quota)[each] === undefined)) {
    throw refusal(attributes, `status unknown for quota: ${name}, resources: ${restricted.toSorted().join(",")}`);
  }
  return true;
}

function matches(evaluator: Evaluator, quota: ResourceQuota, object: ApiObject): boolean {
  return (
    evaluator.matchingNames(Object.keys(hardOf(quota))).length > 0 &&
    scopesOf(quota).every((scope) => evaluator.isInScope(scope, object))
  );
}

function usedWith(charge: Charge, quota: ResourceQuota): Amounts {
  const { attributes } = charge;
  const [hard, used] = [hardOf(quota), usedOf(quota)];
  const requested = maskAmounts(withoutZeros(growth(charge, quota)), Object.keys(hard));
  const total = sumAmounts(used, requested);
  const exceeded = Object.keys(requested).filter(
    (name) => compareQuantities(total[name] ?? "0", hard[name] ?? "0") > 0,
  );
  if (exceeded.length > 0 && attributes.subresource !== "status") {
    const print = (amounts: Amounts): string => printAmounts(maskAmounts(amounts, exceeded));
    throw refusal(
      attributes,
      `exceeded quota: ${quota.metadata.name ?? ""}, requested: ${print(requested)}, used: ${print(used)}, limited: ${print(hard)}`,
    );
  }
  return total;
}

// An update is charged for what it adds, and for everything if the former object was not counted.
function growth({ attributes, evaluator, object, nowMs }: Charge, quota: ResourceQuota): Amounts {
  const { operation, oldObject } = attributes;
  const usage = evaluator.usageOf(object, nowMs);
  const negative = Object.keys(usage).filter((name) => compareQuantities(usage[name] ?? "0", "0") < 0);
  if (negative.length > 0) {
    throw refusal(attributes, `quota usage is negative for resource(s): ${negative.toSorted().join(",")}`);
  }
  if (operation !== "UPDATE" || oldObject === undefined || !matches(evaluator, quota, oldObject)) return usage;
  return growthOf(usage, evaluator.usageOf(oldObject, nowMs));
}

function hardOf({ status }: ResourceQuota): Amounts {
  return status?.hard ?? {};
}

function usedOf({ status }: ResourceQuota): Amounts {
  return status?.used ?? {};
}

function refusal({ resource, name, object }: AdmissionAttributes, message: string): Error {
  const { generateName = "" } = object?.metadata ?? {};
  const shown = name === "" ? (object?.metadata.name ?? generateName) : name;
  return forbidden({ groupResource: resource, name: shown === "" ? "Unknown" : shown }, message);
}

import { compareQuantities, isZeroQuantity, type Quantity, quantityToNumber } from "@kubescaffold/k8s";
import type { LimitRangeItem } from "@kubescaffold/k8s/core/v1";

import type { Amounts } from "./pod-resources.ts";

/** What an object of a type of limits uses. */
export interface Usage {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Returns a sentence for each limit of an item that one of the usages violates, in the words of kube-apiserver. */
export function limitProblems(
  { type, min, max, maxLimitRequestRatio }: LimitRangeItem,
  usages: readonly Usage[],
): readonly string[] {
  const checks = [
    checkOf(min, (name, amount, usage) => minimumProblem({ name, type, amount }, usage)),
    checkOf(max, (name, amount, usage) => maximumProblem({ name, type, amount }, usage)),
    checkOf(maxLimitRequestRatio, (name, amount, usage) => ratioProblem({ name, type, amount }, usage)),
  ];
  return usages.flatMap((usage) => checks.flatMap((check) => check(usage)));
}

function checkOf(
  amounts: Amounts = {},
  problemOf: (name: string, amount: Quantity, usage: Usage) => string | undefined,
): (usage: Usage) => readonly string[] {
  // All usages without a resource have the same problem: it is looked for once, not for every container and limit.
  const unknown = new Set(Object.keys(amounts));
  return (usage) => {
    const own = [...Object.keys(usage.requests), ...Object.keys(usage.limits)];
    const names = new Set([...unknown, ...own]);
    for (const name of unknown) {
      if (usage.requests[name] === undefined && usage.limits[name] === undefined) unknown.delete(name);
    }
    return [...names].flatMap((name) => {
      const amount = amounts[name];
      return (amount === undefined ? undefined : problemOf(name, amount, usage)) ?? [];
    });
  };
}

interface Limit {
  readonly name: string;
  readonly type: string;
  readonly amount: Quantity;
}

function minimumProblem({ name, type, amount }: Limit, { requests, limits }: Usage): string | undefined {
  const minimum = `minimum ${name} usage per ${type} is ${amount}`;
  const [request, limit] = [requests[name], limits[name]];
  if (request === undefined) return `${minimum}.  No request is specified`;
  if (compareQuantities(request, amount) < 0) return `${minimum}, but request is ${request}`;
  return limit !== undefined && compareQuantities(limit, amount) < 0 ? `${minimum}, but limit is ${limit}` : undefined;
}

function maximumProblem({ name, type, amount }: Limit, { requests, limits }: Usage): string | undefined {
  const maximum = `maximum ${name} usage per ${type} is ${amount}`;
  const [request, limit] = [requests[name], limits[name]];
  // Claims have requests only.
  const checked = type === "PersistentVolumeClaim" ? "request" : "limit";
  if ({ request, limit }[checked] === undefined) return `${maximum}.  No ${checked} is specified`;
  if (limit !== undefined && compareQuantities(limit, amount) > 0) return `${maximum}, but limit is ${limit}`;
  return request !== undefined && compareQuantities(request, amount) > 0
    ? `${maximum}, but request is ${request}`
    : undefined;
}

function ratioProblem({ name, type, amount }: Limit, { requests, limits }: Usage): string | undefined {
  const ratio = `${name} max limit to request ratio per ${type} is ${amount}`;
  const [request, limit] = [requests[name], limits[name]];
  if (request === undefined || isZeroQuantity(request)) return `${ratio}, but no request is specified or request is 0`;
  if (limit === undefined || isZeroQuantity(limit)) return `${ratio}, but no limit is specified or limit is 0`;
  const actual = quantityToNumber(limit) / quantityToNumber(request);
  return actual > quantityToNumber(amount) ? `${ratio}, but provided ratio is ${actual.toFixed(6)}` : undefined;
}

import { compareQuantities, isZeroQuantity, type Quantity, quantityToNumber } from "@kubescaffold/k8s";
import type { LimitRangeItem } from "@kubescaffold/k8s/core/v1";

import type { Amounts } from "./pod-resources.ts";

/** What an object of a type of limits uses. */
export interface Usage {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Returns a sentence for each limit of an item that a usage violates, in the words of kube-apiserver. */
export function limitProblems(
  { type, min, max, maxLimitRequestRatio }: LimitRangeItem,
  usage: Usage,
): readonly string[] {
  return [
    ...each(min, (name, amount) => minimumProblem({ name, type, amount }, usage)),
    ...each(max, (name, amount) => maximumProblem({ name, type, amount }, usage)),
    ...each(maxLimitRequestRatio, (name, amount) => ratioProblem({ name, type, amount }, usage)),
  ];
}

function each(
  amounts: Amounts | undefined,
  problemOf: (name: string, amount: Quantity) => string | undefined,
): readonly string[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => problemOf(name, amount) ?? []);
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

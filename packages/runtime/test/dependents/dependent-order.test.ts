import { describe, expect, it } from "vitest";

import { orderDependents } from "../../src/dependents/dependent-order.ts";
import { DependentCycleError, DependentNameError } from "../../src/dependents/errors.ts";

const node = (name: string, ...dependsOn: string[]) => ({ name, dependsOn });

describe("the order of dependents", () => {
  it("has each dependent after those that it depends on, otherwise as given", () => {
    const { dependents } = orderDependents([node("c", "b"), node("d"), node("a"), node("b", "a", "d")]);
    expect(dependents.map(({ name }) => name)).toEqual(["a", "d", "b", "c"]);
  });

  it("knows direct and indirect dependencies", () => {
    const { dependencies } = orderDependents([node("c", "b"), node("b", "a"), node("a")]);
    expect([...(dependencies.get("c") ?? [])]).toEqual(["b", "a"]);
    expect([...(dependencies.get("a") ?? [])]).toEqual([]);
  });

  it.each([
    [[node("a", "a")], "a -> a"],
    [[node("x", "a"), node("a", "b"), node("b", "c"), node("c", "a")], "a -> b -> c -> a"],
  ])("is refused for a cycle", (nodes, cycle) => {
    expect(() => orderDependents(nodes)).toThrow(new DependentCycleError(cycle.split(" -> ")));
    expect(new DependentCycleError(["a", "a"]).code).toBe("CONTROLLER_DEPENDENT_CYCLE");
  });

  it.each([
    [[node("a", "b")], "the dependent a depends on b, which does not exist"],
    [[node("a/b")], 'the name of a dependent is invalid: "a/b"'],
    [[node("")], 'the name of a dependent is invalid: ""'],
  ])("is refused for unknown and invalid names", (nodes, message) => {
    expect(() => orderDependents(nodes)).toThrow(DependentNameError);
    expect(() => orderDependents(nodes)).toThrow(message);
  });
});

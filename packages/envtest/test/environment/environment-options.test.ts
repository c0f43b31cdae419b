import { describe, expect, test } from "vitest";

import { backendOf, isOutputAttached, timeoutsOf } from "../../src/environment/environment-options.ts";

describe("the backend of an environment", () => {
  test.each([
    ["nothing", {}, "embedded"],
    ["assets", { KUBEBUILDER_ASSETS: "/x" }, "binaries"],
    ["an existing cluster", { USE_EXISTING_CLUSTER: "true", KUBEBUILDER_ASSETS: "/x" }, "existing"],
    ["an existing cluster switched off", { USE_EXISTING_CLUSTER: "false" }, "embedded"],
    ["its own variable", { KUBESCAFFOLD_ENVTEST_BACKEND: "embedded", USE_EXISTING_CLUSTER: "true" }, "embedded"],
  ] as const)("with %s in the variables", (_title, env, expected) => {
    expect(backendOf({ env })).toBe(expected);
  });

  test("the option wins over all variables", () => {
    expect(backendOf({ backend: "embedded", env: { USE_EXISTING_CLUSTER: "true" } })).toBe("embedded");
  });

  test("a variable that names none is an error with the names there are", () => {
    expect(() => backendOf({ env: { KUBESCAFFOLD_ENVTEST_BACKEND: "docker" } })).toThrow(
      expect.objectContaining({
        code: "ENVTEST_OPTIONS",
        hint: expect.stringContaining("embedded, binaries, existing"),
      }),
    );
  });
});

describe("the times of an environment", () => {
  test("come from options, then variables, then upstream's default", () => {
    const env = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "1m30s", KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "500ms" };
    expect(timeoutsOf({ env: {} })).toEqual({ startTimeoutMs: 20_000, stopTimeoutMs: 20_000 });
    expect(timeoutsOf({ env })).toEqual({ startTimeoutMs: 90_000, stopTimeoutMs: 500 });
    expect(timeoutsOf({ env, startTimeoutMs: 5 })).toMatchObject({ startTimeoutMs: 5 });
  });

  test("a variable that is no duration is an error", () => {
    expect(() => timeoutsOf({ env: { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "60" } })).toThrow(
      expect.objectContaining({ code: "ENVTEST_OPTIONS" }),
    );
  });
});

test("the output of binaries is shown when a variable says so", () => {
  expect(isOutputAttached({ env: { KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT: "true" } })).toBe(true);
  expect(isOutputAttached({ env: {} })).toBe(false);
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ImageDefinition } from "../../../src/kubelet/containers/image-definitions.ts";
import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

let pods: Simulation;

beforeEach(() => {
  pods = simulation();
});

afterEach(async () => pods.cluster.close());

// Runs a process that is not restarted, and returns its exit code and output.
async function outcomeOf(run: NonNullable<ImageDefinition["run"]>): Promise<object> {
  pods.cluster.images.define("app:*", run);
  await pods.run("p", {}, { restartPolicy: "Never" });
  const ended = { status: { containerStatuses: [{ ready: false }] } };
  const { state } = (await pods.eventually("p", ended)).status.containerStatuses[0] ?? {};
  const { body } = await pods.admin.get(`${PODS}/p/log`);
  return { exitCode: state?.["terminated"]?.["exitCode"], ...body };
}

function throwing(value: unknown): () => never {
  return () => {
    throw value;
  };
}

describe("the process of a simulated container", () => {
  it.each([
    ["an error", new Error("no disk"), "no disk\n"],
    ["null", null, "null\n"],
    ["a symbol", Symbol("s"), "Symbol(s)\n"],
    ["what has no text", { toString: throwing(new Error("inner")) }, "an object without a text\n"],
    ["an object without a prototype", Object.create(null), "an object without a text\n"],
  ])("fails when it throws %s", async (_what, value, text) => {
    expect(await outcomeOf(throwing(value))).toEqual({ exitCode: 1, text });
  });

  it.each([
    [-1, 255],
    [256, 0],
    [259, 3],
  ])("ends with the lowest byte of the exit code %i", async (code, exitCode) => {
    expect(await outcomeOf(() => code)).toMatchObject({ exitCode });
  });

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])("fails with %d, which is no exit code", async (code) => {
    const text = `the exit code must be an integer, not ${String(code)}\n`;
    expect(await outcomeOf(() => code)).toEqual({ exitCode: 1, text });
  });

  it("fails with a message of its end that is not a text", async () => {
    const run: ImageDefinition["run"] = ({ setTerminationMessage }) => setTerminationMessage(5 as never);
    const text = "setTerminationMessage takes a text, not a value of the type number\n";
    expect(await outcomeOf(run)).toEqual({ exitCode: 1, text });
  });
});

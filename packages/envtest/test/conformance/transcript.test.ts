import { describe, expect, test } from "vitest";

import { createScrubber } from "./transcript.ts";

const UID_A = "00000000-0000-4000-8000-00000000000a";
const UID_B = "00000000-0000-4000-8000-00000000000b";

describe("a transcript without values that differ between runs", () => {
  test("keeps which uids and versions were equal, in texts too", () => {
    const { value } = createScrubber();
    expect(value({ metadata: { uid: UID_A, resourceVersion: "7" } })).toEqual({
      metadata: { uid: "<uid-1>", resourceVersion: "<rv-1>" },
    });
    expect(value({ message: `uid ${UID_B} is not ${UID_A}`, metadata: { resourceVersion: "9" } })).toEqual({
      message: "uid <uid-2> is not <uid-1>",
      metadata: { resourceVersion: "<rv-2>" },
    });
    expect(value({ metadata: { resourceVersion: "7" } })).toEqual({ metadata: { resourceVersion: "<rv-1>" } });
  });

  test("drops managedFields, replaces times, ports and the versions of lists", () => {
    const { value } = createScrubber();
    expect(
      value({
        items: [{ metadata: { creationTimestamp: "2024-01-02T03:04:05Z", managedFields: [] } }],
        metadata: { resourceVersion: "12", continue: "abc" },
      }),
    ).toEqual({
      items: [{ metadata: { creationTimestamp: "<time>" } }],
      metadata: { resourceVersion: "<list-rv>", continue: "<continue>" },
    });
    expect(value("dial 127.0.0.1:4711 at 2024-01-02T03:04:05.000006Z")).toBe("dial 127.0.0.1:<port> at <time>");
  });

  test("replaces what the server appended to a generated name, and only that", () => {
    const { value } = createScrubber();
    expect(value({ generateName: "gen-", name: "gen-x2b4c" })).toEqual({ generateName: "gen-", name: "gen-<5>" });
    expect(value({ generateName: "gen-", name: "own" })).toEqual({ generateName: "gen-", name: "own" });
  });

  test("compares objects quoted in messages by their content", () => {
    const { value } = createScrubber();
    const quoted = JSON.stringify(
      JSON.stringify({ b: 1, metadata: { resourceVersion: "5", managedFields: [{}] }, a: 2 }),
    );
    expect(value(`patch: Invalid value: ${quoted}: bad`)).toBe(
      'patch: Invalid value: {"a":2,"b":1,"metadata":{"resourceVersion":"<rv-1>"}}: bad',
    );
  });

  test("separates warnings", () => {
    const { answer } = createScrubber();
    const headers = new Headers([
      ["warning", '299 - "one, two"'],
      ["warning", '299 - "three"'],
      ["content-type", "application/json"],
    ]);
    expect(answer({ status: 200, headers, body: {} })).toEqual({
      status: 200,
      warnings: ['299 - "one, two"', '299 - "three"'],
      body: {},
    });
  });
});

import { describe, expect, it } from "vitest";

import type { LogLine } from "../../../src/page/feed/protocol.ts";
import { lastError } from "../../../src/page/logs/last-error.ts";

function line(level: LogLine["level"], message: string, more: Partial<LogLine> = {}): LogLine {
  return { type: "log", at: 0, level, logger: "", message, ...more };
}

describe("the error of a manager that has exited", () => {
  it("is its last line of that level, with the cause and the hint", () => {
    const lines = [
      line("error", "an older one"),
      line("info", "starting"),
      line("error", "cannot start", { error: "the port 8081 is in use", hint: "choose another port" }),
      line("info", "stopping"),
    ];
    expect(lastError(lines)).toBe("cannot start: the port 8081 is in use\nhint: choose another port");
  });

  it("is what Node printed about an exception, if that came last", () => {
    const printed = [
      "file:///project/cmd/main.ts:12",
      "    broken();",
      "    ^",
      "ReferenceError: broken is not defined",
      "    at main",
    ];
    const lines = [line("error", "an older one"), ...printed.map((each) => line("output", each))];
    expect(lastError(lines)).toBe("ReferenceError: broken is not defined\n    at main");
  });

  it("is empty if there is none", () => {
    expect(lastError([line("info", "stopping"), line("output", "bye")])).toBe("");
  });
});

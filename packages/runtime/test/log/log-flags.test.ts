import { describe, expect, it } from "vitest";

import { logFlags, logOptionsOf, type LogFlagValues } from "../../src/log/log-flags.ts";
import { createPinoLogger } from "../../src/log/pino-logger.ts";

const NONE: LogFlagValues = {
  zapDevel: false,
  zapEncoder: "",
  zapLogLevel: "",
  zapStacktraceLevel: "",
  zapTimeEncoding: "",
};

function written(flags: Partial<LogFlagValues>): string {
  let text = "";
  const destination = { write: (line: string) => void (text += line) };
  const logger = createPinoLogger({ ...logOptionsOf({ ...NONE, ...flags }), destination });
  logger.v(3).info("detailed");
  logger.debug("debug");
  logger.info("info");
  logger.error(new Error("broken"), "failed");
  return text;
}

function messagesOf(text: string): readonly unknown[] {
  return linesOf(text).map(({ msg }) => msg);
}

function linesOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the flags of logging", () => {
  it("have the names that programs on controller-runtime give them", () => {
    expect(Object.keys(logFlags)).toEqual([
      "zap-devel",
      "zap-encoder",
      "zap-log-level",
      "zap-stacktrace-level",
      "zap-time-encoding",
    ]);
  });

  it.each([
    ["", ["info", "failed"]],
    ["debug", ["debug", "info", "failed"]],
    ["info", ["info", "failed"]],
    ["error", ["failed"]],
    ["panic", []],
    ["1", ["debug", "info", "failed"]],
    ["3", ["detailed", "debug", "info", "failed"]],
  ])("--zap-log-level=%s writes %j", (zapLogLevel, expected) => {
    expect(messagesOf(written({ zapLogLevel }))).toEqual(expected);
  });

  it("--zap-devel writes readable lines and debug messages, unless other flags override it", () => {
    expect(written({ zapDevel: true })).toMatch(/\tDEBUG\tdebug\n.*\tINFO\tinfo\n/u);
    expect(messagesOf(written({ zapDevel: true, zapEncoder: "json", zapLogLevel: "info" }))).toEqual([
      "info",
      "failed",
    ]);
    expect(written({ zapEncoder: "console" })).toMatch(/^\S+\tINFO\tinfo\n/u);
  });

  it.each([
    ["", false, true],
    ["info", true, true],
    ["error", false, true],
    ["panic", false, false],
  ])("--zap-stacktrace-level=%s: information with a stack: %s, errors: %s", (zapStacktraceLevel, info, error) => {
    const [first, second] = linesOf(written({ zapStacktraceLevel }));
    expect([first?.["stack"] !== undefined, second?.["stack"] !== undefined]).toEqual([info, error]);
  });

  it("a stack starts where the line was logged", () => {
    const [first] = linesOf(written({ zapStacktraceLevel: "info" }));
    expect(first?.["stack"]).toMatch(/^[^\n]*log-flags\.test\.ts/u);
  });

  it.each([
    ["", /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/u],
    ["iso8601", /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/u],
    ["rfc3339", /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$/u],
    ["rfc3339nano", /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*[1-9])?Z"$/u],
    ["epoch", /^\d{10}(?:\.\d{1,3})?$/u],
    ["millis", /^\d{13}$/u],
    ["nano", /^\d{19}$/u],
  ])("--zap-time-encoding=%s writes %s", (zapTimeEncoding, pattern) => {
    const [, time] = /"ts":([^,]*)/u.exec(written({ zapTimeEncoding })) ?? [];
    expect(time).toMatch(pattern);
    const console = written({ zapTimeEncoding, zapEncoder: "console" });
    expect(console.split("\t")[0]).toMatch(new RegExp(pattern.source.replaceAll('"', ""), "u"));
  });

  it.each([
    { zapEncoder: "xml" },
    { zapLogLevel: "0" },
    { zapLogLevel: "warn" },
    { zapStacktraceLevel: "debug" },
    { zapTimeEncoding: "unix" },
  ])("%j is refused", (flags) => {
    expect(() => logOptionsOf({ ...NONE, ...flags })).toThrow(
      expect.objectContaining({
        code: "LOG_FLAG_INVALID",
        message: expect.stringContaining(Object.values(flags)[0] ?? ""),
      }),
    );
  });
});

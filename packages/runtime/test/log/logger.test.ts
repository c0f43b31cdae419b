import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createPinoLogger, type PinoLoggerOptions } from "../../src/log/pino-logger.ts";

function linesOf(options: PinoLoggerOptions, write: (logger: ReturnType<typeof createPinoLogger>) => void): string[] {
  const lines: string[] = [];
  write(createPinoLogger({ ...options, destination: { write: (line) => void lines.push(line) } }));
  return lines;
}

describe("loggers", () => {
  it("names add up, fields add up with the later ones winning, levels add up", () => {
    const log = createRecordingLogger();
    const derived = log.withName("manager").withValues({ a: 1, b: 1 }).withName("guestbook").withValues({ b: 2 });
    derived.v(1).v(2).info("seen", { c: 3 });
    derived.debug("debugged");
    log.info("plain");
    expect(log.records).toEqual([
      { severity: "info", verbosity: 3, name: "manager.guestbook", message: "seen", fields: { a: 1, b: 2, c: 3 } },
      { severity: "info", verbosity: 1, name: "manager.guestbook", message: "debugged", fields: { a: 1, b: 2 } },
      { severity: "info", verbosity: 0, name: "", message: "plain", fields: {} },
    ]);
  });

  it("errors are written at every verbosity", () => {
    const log = createRecordingLogger(0);
    const error = new TypeError("x");
    log.v(5).info("hidden");
    log.v(5).error(error, "shown");
    expect(log.v(5).isEnabled()).toBe(false);
    expect(log.records).toMatchObject([{ severity: "error", message: "shown", error }]);
    expect(silentLogger.isEnabled()).toBe(false);
  });
});

describe("lines of pino", () => {
  it("a line is JSON with level, time, logger, message and fields; errors have their stack and causes", () => {
    const lines = linesOf({}, (logger) => {
      logger.withName("a").info("hello", { count: 1n });
      logger.debug("hidden");
      logger.error(new Error("outer", { cause: new Error("inner") }), "failed");
    });
    const [hello, failed] = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(lines).toHaveLength(2);
    expect(hello).toMatchObject({ level: "info", logger: "a", msg: "hello", count: "1" });
    expect(hello?.["ts"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u);
    expect(failed).toMatchObject({ level: "error", msg: "failed", error: "outer" });
    expect(failed?.["stack"]).toContain("caused by: Error: inner");
  });

  it("an object of Kubernetes is written as its name, never with its content", () => {
    const secret = { kind: "Secret", metadata: { namespace: "a", name: "s" }, data: { password: "aHVudGVyMg==" } };
    const [line] = linesOf({}, (logger) => logger.info("read", { object: secret }));
    expect(line).not.toContain("aHVudGVyMg");
    expect(JSON.parse(line ?? "")).toMatchObject({ object: { kind: "Secret", namespace: "a", name: "s" } });
  });

  it("the verbosity selects the written lines", () => {
    const write = (logger: ReturnType<typeof createPinoLogger>): void => {
      logger.info("0");
      logger.v(1).info("1");
      logger.v(2).info("2");
      logger.error("text", "failed");
    };
    expect(linesOf({ verbosity: 1 }, write)).toHaveLength(3);
    expect(linesOf({ errorsOnly: true }, write)).toHaveLength(1);
    expect(linesOf({ development: true }, write)).toHaveLength(3);
  });

  it("the verbosity is in lines of which the level does not tell it", () => {
    const lines = linesOf({ verbosity: 5 }, (logger) => {
      logger.v(1).info("1");
      logger.v(5).info("5");
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.not.objectContaining({ v: expect.anything() }),
      expect.objectContaining({ level: "debug", v: 5 }),
    ]);
  });

  it("development lines are for reading, with the stack below", () => {
    const lines = linesOf({ development: true }, (logger) => {
      logger.withName("a").error(new Error("x"), "failed", { key: "v" });
    });
    expect(lines[0]).toMatch(/^\S+Z\tERROR\ta\tfailed\t\{"key":"v","error":"x"\}\nError: x\n/u);
  });
});

describe("the program's logger", () => {
  // Other tests of this worker may have loaded it.
  beforeEach(() => {
    vi.resetModules();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.resetModules();
  });

  it("lines written before setLogger appear after it, including those of earlier loggers", async () => {
    const { log, setLogger } = await import("../../src/log/root-logger.ts");
    const early = log.withName("early").withValues({ a: 1 });
    early.info("kept");
    early.v(9).info("too detailed");
    const target = createRecordingLogger(1);
    setLogger(target);
    early.error(new Error("x"), "later");
    expect(target.records).toMatchObject([
      { message: "kept", name: "early", fields: { a: 1 } },
      { message: "later", severity: "error" },
    ]);
  });

  it("without setLogger it warns once after half a minute and is silent from then on", async () => {
    vi.useFakeTimers();
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const { log, setLogger } = await import("../../src/log/root-logger.ts");
    log.info("lost");
    vi.advanceTimersByTime(30_000);
    log.info("lost as well");
    vi.advanceTimersByTime(60_000);
    expect(warn).toHaveBeenCalledTimes(1);
    const target = createRecordingLogger();
    setLogger(target);
    log.info("written");
    expect(target.records.map(({ message }) => message)).toEqual(["written"]);
  });
});

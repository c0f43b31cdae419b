import { describe, expect, it } from "vitest";

import { LogPosition } from "../../../src/server/cluster/pod-log.ts";

const at = (text: string): string => `2024-05-01T10:00:${text}`;

describe("the position in a log", () => {
  it("splits lines from their time", () => {
    const position = new LogPosition();
    expect(position.resume()).toBe("");
    expect(position.read(at("01.123456789Z hello world"))).toEqual({
      text: "hello world",
      at: Date.parse(at("01.123Z")),
    });
    expect(position.read(at("02Z "))).toEqual({ text: "", at: Date.parse(at("02Z")) });
    expect(position.read(at("02+02:00 east"))).toEqual({ text: "east", at: Date.parse(at("02+02:00")) });
    expect(position.read("without a time")?.text).toBe("without a time");
  });

  it("omits the lines of the last second that a server repeats, and no others", () => {
    const position = new LogPosition();
    for (const line of ["01.1Z a", "02.1Z b", "02.2Z c"]) position.read(at(line));
    expect(position.resume()).toBe(at("02Z"));
    const texts = ["02.1Z b", "02.2Z c", "02.3Z d", "03Z e"].map((line) => position.read(at(line))?.text);
    expect(texts).toEqual([undefined, undefined, "d", "e"]);
    // The same again, in the same second.
    expect(position.resume()).toBe(at("03Z"));
    expect(position.resume()).toBe(at("03Z"));
    expect(position.read(at("03Z e"))).toBeUndefined();
    expect(position.read(at("03Z e2"))?.text).toBe("e2");
  });

  it("keeps lines that a container writes twice", () => {
    const position = new LogPosition();
    expect([at("01.1Z a"), at("01.1Z a")].map((line) => position.read(line)?.text)).toEqual(["a", "a"]);
  });
});

import { stripVTControlCharacters } from "node:util";

import { describe, expect, it } from "vitest";

import { cut, Screen } from "../../../src/cli/output/screen.ts";
import { textStyle } from "../../../src/cli/output/text-style.ts";
import { FakeScreen } from "../../support/fake-screen.ts";

describe("a screen", () => {
  it("prints lines above a footer that stays at the bottom", () => {
    const output = new FakeScreen({ columns: 20 });
    const screen = new Screen(output);
    screen.write("first");
    screen.setFooter(["", "state"]);
    screen.write("second\n");
    screen.write("third");
    expect(output.lines).toEqual(["first", "second", "third", "", "state"]);
  });

  it("replaces a footer by a longer and a shorter one, and removes it at the end", () => {
    const output = new FakeScreen({ columns: 20 });
    const screen = new Screen(output);
    screen.write("line");
    screen.setFooter(["a"]);
    screen.setFooter(["a", "b", "c"]);
    expect(output.lines).toEqual(["line", "a", "b", "c"]);
    screen.setFooter(["d"]);
    expect(output.lines).toEqual(["line", "d"]);
    screen.close();
    expect(output.lines).toEqual(["line", ""]);
  });

  it("cuts the lines of the footer to the width of the terminal, and not those above it", () => {
    const output = new FakeScreen({ columns: 8 });
    const screen = new Screen(output);
    screen.setFooter(["0123456789"]);
    screen.write("abcdefghij");
    expect(output.lines).toEqual(["abcdefgh", "ij", "012345…"]);
  });

  it("erases all rows of a footer that a narrower terminal has wrapped", () => {
    const output = new FakeScreen({ columns: 12 });
    const screen = new Screen(output);
    screen.write("line");
    screen.setFooter(["0123456789"]);
    output.resize(6);
    expect(output.lines).toEqual(["line", "012345", "6789"]);
    screen.redraw();
    expect(output.lines).toEqual(["line", "0123…"]);
  });

  it("clears everything but the footer", () => {
    const output = new FakeScreen({ columns: 20 });
    const screen = new Screen(output);
    screen.write("line");
    screen.setFooter(["state"]);
    screen.clear();
    expect(output.lines).toEqual(["state"]);
  });
});

describe("cut", () => {
  it("counts visible characters, and ends the style of what it cuts", () => {
    const { red } = textStyle({});
    expect(cut(red("short"), 5)).toBe(red("short"));
    expect(cut(red("longer text"), 5)).toBe(red("long…").replace("\u001B[39m", "\u001B[0m"));
    expect(stripVTControlCharacters(cut(`a ${red("longer")} text`, 6))).toBe("a lon…");
    expect(cut("plain text", 4)).toBe("pla…");
  });
});

describe("styles", () => {
  it("are none with NO_COLOR, unless it is empty, and on a dumb terminal", () => {
    expect(textStyle({ NO_COLOR: "1" }).red("x")).toBe("x");
    expect(textStyle({ TERM: "dumb" }).red("x")).toBe("x");
    expect(textStyle({ NO_COLOR: "", TERM: "xterm" }).red("x")).toBe("\u001B[31mx\u001B[39m");
  });
});

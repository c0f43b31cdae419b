import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

interface Run {
  readonly text: string;
  readonly style: { readonly color: number | undefined; readonly bold: boolean; readonly dim: boolean };
}

interface ScreenModule {
  readonly Screen: new (size: { readonly columns: number; readonly rows: number }) => {
    readonly write: (text: string) => void;
    readonly lines: () => readonly (readonly Run[])[];
  };
}

interface SvgModule {
  readonly renderSvg: (
    outputs: readonly (readonly [number, string | { readonly picture: string | undefined }])[],
    screen: { readonly columns: number; readonly rows: number; readonly title: string },
  ) => string;
}

const load = async (name: string): Promise<unknown> =>
  await import(pathToFileURL(path.join(ROOT, "scripts", "recordings", name)).href);
const { Screen } = (await load("screen.mjs")) as ScreenModule;
const { renderSvg } = (await load("svg.mjs")) as SvgModule;

const ESCAPE = "\u001B";
const RECORDINGS = path.join(ROOT, "docs", "recordings");

function textAfter(output: string, size = { columns: 10, rows: 3 }): readonly string[] {
  const screen = new Screen(size);
  screen.write(output);
  return screen.lines().map((runs) => runs.map(({ text }) => text).join(""));
}

describe("the screen of a recording", () => {
  it("replaces a status line that the program erases", () => {
    expect(
      textAfter(`log\r\n\r\nstarting\r${ESCAPE}[1A${ESCAPE}[J+more\r\n\r\nrunning`, { columns: 10, rows: 4 }),
    ).toEqual(["log", "+more", "", "running"]);
  });

  it("wraps long lines, and scrolls", () => {
    expect(textAfter("one\r\ntwo\r\n0123456789ab")).toEqual(["two", "0123456789", "ab"]);
  });

  it("wraps only when there is another character", () => {
    expect(textAfter("0123456789\r\nb")).toEqual(["0123456789", "b"]);
  });

  it("keeps the styles of characters", () => {
    const screen = new Screen({ columns: 20, rows: 3 });
    screen.write(`${ESCAPE}[1;31m#red${ESCAPE}[22;39m ${ESCAPE}[2m#dim${ESCAPE}[0m`);
    expect(screen.lines()).toEqual([
      [
        { text: "#red", style: { color: 1, bold: true, dim: false } },
        { text: " ", style: { color: undefined, bold: false, dim: false } },
        { text: "#dim", style: { color: undefined, bold: false, dim: true } },
      ],
    ]);
  });

  it.each(["\u001B[2J", "\u001B[5q", "\u001B[48m", "\u001BM"])(
    "refuses a sequence that it does not know: %j",
    (sequence) => {
      expect(() => textAfter(sequence)).toThrow(/^unknown /u);
    },
  );
});

describe("the SVG of a recording", () => {
  const size = { columns: 20, rows: 3, title: "a <title>" };

  it("draws a line of several frames once, and escapes it", () => {
    const svg = renderSvg(
      [
        [0, "a < b\r\n"],
        [1, "second"],
      ],
      size,
    );
    expect(svg.match(/a &lt; b/gu)).toHaveLength(1);
    expect(svg.match(/<use href="#l0"/gu)).toHaveLength(2);
    expect(svg).toContain("<title>a &lt;title&gt;</title>");
  });

  it("shortens long pauses, and joins outputs that follow at once", () => {
    const svg = renderSvg(
      [
        [0, "a"],
        [0.01, "b"],
        [60, "c"],
      ],
      size,
    );
    expect(svg.match(/class="f"/gu)).toHaveLength(2);
    // Two seconds of a pause, and four of the last frame.
    expect(svg).toContain("animation:6.010s");
  });

  it("shows a picture in place of the terminal, until there is none", () => {
    const svg = renderSvg(
      [
        [0, "before"],
        [1, { picture: "AAAA" }],
        [2, "\r\nbehind"],
        [9, { picture: undefined }],
        [10, "\r\nafter"],
      ],
      size,
    );
    expect(svg.match(/class="f"/gu)).toHaveLength(4);
    expect(svg.match(/<image href="data:image\/webp;base64,AAAA" /gu)).toHaveLength(1);
    // The lines behind the picture appear with the terminal.
    expect(svg.match(/<use /gu)).toHaveLength(1 + 2 + 3);
    // One second before, four of the picture, one after it, and four of the last frame.
    expect(svg).toContain("animation:10.000s");
  });

  it("shows the last frame to readers without animations", () => {
    expect(
      renderSvg(
        [
          [0, "a"],
          [1, "b"],
        ],
        size,
      ),
    ).toContain("@media (prefers-reduced-motion:reduce){.f{animation:none}#f1{visibility:visible}}");
  });
});

describe("the recordings", () => {
  const texts = new Map(
    readdirSync(RECORDINGS).map((name) => [name, readFileSync(path.join(RECORDINGS, name), "utf8")]),
  );

  it("show what the pages describe", () => {
    expect([...texts.keys()].toSorted()).toEqual(["create.svg", "dev.svg"]);
    expect(texts.get("create.svg")).toContain("created internal/controller/guestbook_controller.ts");
    for (const text of [
      "manager running",
      "reconciled",
      "CRD applied",
      "~/guestbook/.kubescaffold/dev/kubeconfig",
      ">dashboard<",
      '<image href="data:image/webp;base64,',
    ])
      expect(texts.get("dev.svg")).toContain(text);
  });

  it("load nothing, run nothing, and name no folder of the machine", () => {
    for (const text of texts.values())
      expect(
        text
          .replace("http://www.w3.org/2000/svg", "")
          .replaceAll(/<image href="data:image\/webp;base64,[\w+/=]*"/gu, "")
          // The address of the dashboard, which is valid once.
          .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/[^ <]*/gu, ""),
      ).not.toMatch(/<script|<image|http:|url\(|\/tmp\/|\/work\/|\/home\/|Warning:/u);
  });
});

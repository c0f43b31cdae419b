import { describe, expect, it } from "vitest";

import { mediaTypeProblem } from "../../src/http/media-type.ts";

describe("mediaTypeProblem", () => {
  it.each([
    ["text/plain", undefined],
    ["Text/PLAIN ; charset=utf-8", undefined],
    ["text", undefined],
    ["text/plain;", undefined],
    ['text/plain; a="b;c"; d=e', undefined],
    ["text/plain; a=b; A=b", undefined],
    ["", "mime: no media type"],
    ["; charset=utf-8", "mime: no media type"],
    ["text plain", "mime: expected slash after first token"],
    ["text/", "mime: expected token after slash"],
    ["text/plain/x", "mime: unexpected content after media subtype"],
    ["text/plain; charset", "mime: invalid media parameter"],
    ['text/plain; a="b', "mime: invalid media parameter"],
    ["text/plain; a=b; a=c", "mime: duplicate parameter name"],
  ])("reads %j as Go does", (text, problem) => {
    expect(mediaTypeProblem(text)).toBe(problem);
  });
});

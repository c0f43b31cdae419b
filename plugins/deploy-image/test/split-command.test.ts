import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { splitCommand } from "../operand.ts";

describe("the text of a command", () => {
  it.each([
    ["memcached,-m=64,-o,modern,-v", ["memcached", "-m=64", "-o", "modern", "-v"]],
    ["a, b ,c", ["a", "b", "c"]],
    ["sleep 1d", ["sleep 1d"]],
    ["sh,-c,'echo a,b'", ["sh", "-c", "echo a,b"]],
    ['sh,-c,"echo \\"a\\", \'b\' \\\\ \\n"', ["sh", "-c", "echo \"a\", 'b' \\ \\n"]],
    ["--list='a,b',--other", ["--list=a,b", "--other"]],
    ["' a ', \"b \" ", [" a ", "b "]],
    ['run,""', ["run", ""]],
    ["'',x", ["", "x"]],
    ["a'b'c d , e", ["abc d", "e"]],
  ])("%s has the words %j", (text, words) => {
    expect(splitCommand(text)).toEqual(words);
  });

  it.each([
    ["", "word 1 is empty"],
    ["a,,b", "word 2 is empty"],
    ["a,", "word 2 is empty"],
    ["a, ", "word 2 is empty"],
    ["don't", "an unterminated quote '"],
    ['a,"b', 'an unterminated quote "'],
  ])("%j is refused", (text, problem) => {
    expect(() => splitCommand(text)).toThrow(
      expect.objectContaining({ code: "DEPLOY_IMAGE_INVALID_CONTAINER", message: expect.stringContaining(problem) }),
    );
  });

  it("can have any words, in double quotes", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (words) => {
        const text = words.map((word) => `"${word.replaceAll(/["\\]/gu, "\\$&")}"`).join(",");
        expect(splitCommand(text)).toEqual(words);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";

import { withByteOrderMarkOf, withoutByteOrderMark } from "../../src/machinery/file-tree.ts";

describe("a byte order mark", () => {
  it("is taken off the start of a text, and nothing else is", () => {
    expect(withoutByteOrderMark("\uFEFF{}")).toBe("{}");
    expect(withoutByteOrderMark("{}\uFEFF")).toBe("{}\uFEFF");
    expect(withoutByteOrderMark("")).toBe("");
  });

  it("stays with a text that takes the place of one that has it", () => {
    expect(withByteOrderMarkOf("\uFEFFa", "b")).toBe("\uFEFFb");
    expect(withByteOrderMarkOf("\uFEFFa", "\uFEFFb")).toBe("\uFEFFb");
    expect(withByteOrderMarkOf("a", "b")).toBe("b");
  });
});

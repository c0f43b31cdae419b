import { describe, expect, it } from "vitest";

import { withoutByteOrderMark } from "../../src/machinery/byte-order-mark.ts";

describe("a byte order mark", () => {
  it("is taken off the start of a text, and nothing else is", () => {
    expect(withoutByteOrderMark("\uFEFF{}")).toBe("{}");
    expect(withoutByteOrderMark("{}\uFEFF")).toBe("{}\uFEFF");
    expect(withoutByteOrderMark("")).toBe("");
  });
});

import { describe, expect, it } from "vitest";

import { addTypeMarker, removeTypeMarker } from "../../src/machinery/type-markers.ts";

const marker = "+kubebuilder:storageversion";
const TWO = `/**
 * First is a kind.
 * +kubebuilder:object:root=true
 */
export interface First {}

/**
 * Second is a kind, and mentions "interface First".
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Second {
  /** +kubebuilder:object:root=true */
  first: First;
}
`;

describe("markers of types", () => {
  it("scenario 57: are added to the comment of the right type of several", () => {
    const changed = addTypeMarker(TWO, { type: "Second", marker });
    expect(changed).toBe(
      TWO.replace(" * +kubebuilder:subresource:status\n", ` * +kubebuilder:subresource:status\n * ${marker}\n`),
    );
    expect(addTypeMarker(changed ?? "", { type: "Second", marker })).toBe(changed);
    expect(removeTypeMarker(changed ?? "", { type: "First", marker })).toBeUndefined();
    expect(removeTypeMarker(changed ?? "", { type: "Second", marker })).toBe(TWO);
  });

  it("are added to a comment of one line, and to one with other line ends", () => {
    expect(addTypeMarker("/** A is a kind. */\nexport class A {}\n", { type: "A", marker })).toBe(
      `/**\n * A is a kind.\n * ${marker}\n */\nexport class A {}\n`,
    );
    const crlf = TWO.replaceAll("\n", "\r\n");
    const changed = addTypeMarker(crlf, { type: "First", marker }) ?? "";
    expect(changed.split("\r\n")).toHaveLength(crlf.split("\r\n").length + 1);
    expect(removeTypeMarker(changed, { type: "First", marker })).toBe(crlf);
  });

  it("are not added where the type, or its comment, is not there", () => {
    expect(addTypeMarker(TWO, { type: "Third", marker })).toBeUndefined();
    expect(addTypeMarker("export interface A {}\n", { type: "A", marker })).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";

import { describeDeclarations } from "../../src/descriptions/describe-declarations.ts";

const DECLARATIONS = `/** The structure \`Container\` of core/v1. */
export interface Container {
    args?: string[];
    readonly "x-name": string;
    /** Has a comment. */
    image?: string;
    nested: {
        args: string;
    };
}
/** The kind Pod of v1. */
export declare const Pod: Kind<Pod>;
export interface Pod extends KubernetesObject {
    args?: string;
}
`;

describe("describeDeclarations", () => {
  it("adds comments to interfaces and their members, and nothing to those that have one", () => {
    const described = describeDeclarations(DECLARATIONS, (name) =>
      name === "Container"
        ? {
            text: "A container.",
            fields: { args: "The arguments.\n\nNone by default.", "x-name": "The name.", image: "The image." },
          }
        : undefined,
    );
    expect(described).toBe(`/**
 * The structure \`Container\` of core/v1.
 *
 * A container.
 */
export interface Container {
    /**
     * The arguments.
     *
     * None by default.
     */
    args?: string[];
    /**
     * The name.
     */
    readonly "x-name": string;
    /** Has a comment. */
    image?: string;
    nested: {
        args: string;
    };
}
/** The kind Pod of v1. */
export declare const Pod: Kind<Pod>;
export interface Pod extends KubernetesObject {
    args?: string;
}
`);
  });

  it("keeps the texts from ending the comment, adding tags, or turning the direction of writing", () => {
    const text = "@deprecated\n ends */ here \u202E now";
    const described = describeDeclarations("export interface A {\n    a: string;\n}\n", () => ({
      fields: { a: text },
    }));
    expect(described).toBe(
      String.raw`export interface A {
    /**
     * \@deprecated
     *  ends *\/ here   now
     */
    a: string;
}
`,
    );
  });

  it("changes no declaration without a description", () => {
    expect(describeDeclarations(DECLARATIONS, () => undefined)).toBe(DECLARATIONS);
    expect(describeDeclarations(DECLARATIONS, () => ({ fields: {} }))).toBe(DECLARATIONS);
  });
});

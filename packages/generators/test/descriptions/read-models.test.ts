import { definitionOf } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { type ModelOptions, readModels } from "../../src/descriptions/read-models.ts";

const OPTIONS: ModelOptions = { definitionOf, typeMeta: { apiVersion: "The version.", kind: "The kind." } };

const CONTAINER = String.raw`import { IIoK8sApiCoreV1Lifecycle } from "./Lifecycle";
/**
 * A container.
 *
 * \* of a Pod
 */
export interface IContainer {
    /**
     * The "arguments": /\* and *\/.
     *
     * Possible values:
     *  - one
     */
    "args"?: Array<string>;
    "image"?: string;
    /**
     * Nested fields.
     */
    "nested"?: {
        /**
         * A nested field.
         */
        "args"?: string;
    };
    /**
     * The name.
     */
    "x-name": string;
}
/**
 * A container, as a class.
 */
export declare class Container extends Model<IContainer> implements IContainer {
    "args"?: Array<string>;
}
`;

describe("readModels", () => {
  it("reads the comments of interfaces and their members, as the generator escaped them", () => {
    expect(readModels(new Map([["v1/Container", CONTAINER]]), OPTIONS)).toEqual({
      "core/v1.Container": {
        text: "A container.\n\n* of a Pod",
        fields: {
          args: 'The "arguments": /* and */.\n\nPossible values:\n - one',
          nested: "Nested fields.",
          "x-name": "The name.",
        },
      },
    });
  });

  it("finds types by the folders of their groups", () => {
    const model = (text: string): string => `/**\n * ${text}\n */\nexport interface IX {\n}\n`;
    const models = new Map([
      ["v1/Event", model("An event of core.")],
      ["events.k8s.io/v1/Event", model("An event of events.")],
      ["flowcontrol.apiserver.k8s.io/v1/Subject", model("A subject.")],
      ["apis/meta/v1/ObjectMeta", model("Metadata.")],
      ["api/resource/Quantity", model("A quantity.")],
      ["_schemas/IoK8sApiCoreV1Event", model("A schema.")],
      ["v1/index", model("All.")],
      ["index", model("All.")],
    ]);
    const read = readModels(models, { ...OPTIONS, definitionOf: () => undefined });
    expect(Object.fromEntries(Object.entries(read).map(([key, { text }]) => [key, text]))).toEqual({
      "core/v1.Event": "An event of core.",
      "events/v1.Event": "An event of events.",
      "flowcontrol/v1.Subject": "A subject.",
      "meta/v1.ObjectMeta": "Metadata.",
      "api/resource.Quantity": "A quantity.",
    });
  });

  it("describes the version and the kind of objects, for which the models have no text", () => {
    const model = '/**\n * Runs Pods.\n */\nexport interface IDeployment {\n    "apiVersion": "apps/v1";\n}\n';
    expect(readModels(new Map([["apps/v1/Deployment", model]]), OPTIONS)["apps/v1.Deployment"]).toEqual({
      text: "Runs Pods.",
      fields: { apiVersion: "The version.", kind: "The kind." },
    });
  });
});

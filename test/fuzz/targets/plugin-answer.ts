import { parseAnswer } from "../../../src/plugin/external/call-plugin.ts";
import { accepted, type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** Answers of external plugins: each is one of the protocol, or refused. */
export const target: FuzzTarget = {
  name: "plugin-answer",
  kind: "json",
  seeds: [
    '{"apiVersion":"v1alpha1","command":"init","error":false,"errorMsgs":[],"universe":{"a/b.txt":"text"}}',
    '{"APIVERSION":"v1alpha1","Command":"flags","Flags":[{"Name":"number","Type":"int","Default":"1","Usage":"a number"}],"metadata":{"Description":"d","examples":"e"}}',
    '{"error":true,"errorMsgs":["no"],"universe":null}',
  ],
  dictionary: [
    "apiVersion",
    "command",
    "error",
    "errorMsgs",
    "universe",
    "metadata",
    "flags",
    "name",
    "type",
    "default",
    "usage",
    "description",
    "examples",
    "../a",
    "UNIVERSE",
  ],
  run: (input) => {
    const answer = accepted(() => parseAnswer("fuzz/v1", input));
    if (answer === undefined) return;
    const texts = Object.values(answer.universe ?? {});
    requireThat(
      texts.every((text) => typeof text === "string"),
      "a file without text",
    );
    requireThat(
      (answer.errorMsgs ?? []).every((message) => typeof message === "string"),
      "a message that is not a string",
    );
  },
};

import { expect, it } from "vitest";

import { withProtocolKeys } from "../../../src/plugin/external/call-plugin.ts";

it("keys that the protocol names are read in whatever case they are", () => {
  const answer = { APIVersion: "v1alpha1", ErrorMsgs: [], Metadata: { Description: "d" }, FLAGS: [{ NAME: "n" }] };
  expect(withProtocolKeys(answer)).toEqual({
    apiVersion: "v1alpha1",
    errorMsgs: [],
    metadata: { description: "d" },
    flags: [{ name: "n" }],
  });
});

it("other keys, and the paths of a universe, stay as they are", () => {
  const answer = { universe: { Name: "a file", "Docs/Usage": "" }, Extra: 1, flags: null };
  expect(withProtocolKeys(answer)).toEqual(answer);
});

it.each([[null], ["text"], [["list"]]])("what is no object stays as it is: %j", (answer) => {
  expect(withProtocolKeys(answer)).toEqual(answer);
});

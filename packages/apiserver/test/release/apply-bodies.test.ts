import { describe, expect, it } from "vitest";

import { loadRelease } from "../../src/release/release.ts";
import { createServerOf } from "../../src/server/create-api-server.ts";
import { type Answer, CONFIG_MAPS, TestServer } from "../support/test-server.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const NO_OBJECT =
  "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type map[string]interface {}";

const UNREADABLE = [
  {
    title: "what is not YAML",
    text: "a: [",
    older: "error decoding YAML: error converting YAML to JSON: yaml: line 1: ",
    newer: "error encoding patch: yaml: line 1: ",
  },
  {
    title: "what starts like an object in JSON",
    text: " {",
    older: "error decoding YAML: error converting YAML to JSON: yaml: line 1: ",
    newer: "error decoding patch: error converting YAML to JSON: yaml: line 1: ",
  },
  {
    title: "a number without a form in JSON",
    text: "a: .inf",
    older: "error decoding YAML: error converting YAML to JSON: json: unsupported value: +Inf",
    newer: "error encoding patch: json: unsupported value: +Inf",
  },
  {
    title: "a string",
    text: "a",
    older: `error decoding YAML: ${NO_OBJECT}`,
    newer: `error decoding patch: ${NO_OBJECT}`,
  },
];

describe.each(["1.36", "1.37"])("bodies that %s cannot apply", (minor) => {
  const isNewer = minor === "1.37";
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`there is no release ${minor}`);
  const server = new TestServer({}, (options) => createServerOf(release, options));
  const applyText = (path: string, text: string): Promise<Answer> =>
    server.call("PATCH", `${path}?fieldManager=x`, text, { "Content-Type": "application/apply-patch+yaml" });

  it.each(UNREADABLE)("$title", async ({ text, older, newer }) => {
    const { code, body } = await applyText(`${CONFIG_MAPS}/a`, text);
    expect([code, body.message]).toEqual([400, expect.stringContaining(isNewer ? newer : older)]);
  });

  it("are read after the object, but for what 1.37 reads for audits", async () => {
    const codes = [];
    for (const text of ["a: [", "{", "a"]) codes.push((await applyText(`${DEPLOYMENTS}/none/status`, text)).code);
    for (const text of ["a: [", "{", "a"]) codes.push((await applyText(`${DEPLOYMENTS}/none/scale`, text)).code);
    const first = isNewer ? 400 : 404;
    expect(codes).toEqual([first, 404, 404, first, 404, 404]);
  });

  it("have documents after the first one, which are not read", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n---\nkind: Other\n";
    const { code, body } = await applyText(`${CONFIG_MAPS}/b`, text);
    expect([code, body.kind]).toEqual([201, "ConfigMap"]);
  });
});

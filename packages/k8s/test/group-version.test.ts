import { describe, expect, it } from "vitest";

import {
  groupKindToString,
  groupResourceToString,
  parseGroupKind,
  parseGroupResource,
  parseKindArgument,
  parseResourceArgument,
} from "../src/group-version.ts";
import { recordedAnswers } from "./oracle/oracle.ts";

const TEXTS = [
  "",
  ".",
  "..",
  "...",
  "deployments",
  "deployments.apps",
  "deployments.v1.apps",
  "deployments.v1.",
  "deployments.v1..",
  "pods.v1",
  ".apps",
  ".v1.apps",
  "guestbooks.v1alpha1.webapp.example.com",
  "guestbooks.webapp.example.com",
  "Deployment.v1.apps",
  " Deployment . v1 . apps ",
  "a.b.c.d.e",
  "ä.ö.ü",
];

describe("kinds and resources of command lines", () => {
  it.each(recordedAnswers<readonly [string, unknown]>("dotted-names", () => TEXTS))(
    "%j is parsed like upstream's",
    (text, answer) => {
      const parsed = { ...parseKindArgument(text), ...parseResourceArgument(text) };
      // Upstream returns no pointer where our field is undefined.
      expect(JSON.parse(JSON.stringify(parsed))).toEqual(answer);
    },
  );

  it.each(["Deployment", "Deployment.apps", "Guestbook.webapp.example.com"])("%s is parsed and printed", (text) => {
    expect(groupKindToString(parseGroupKind(text))).toBe(text);
    expect(groupResourceToString(parseGroupResource(text))).toBe(text);
  });
});

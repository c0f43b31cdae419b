import { readFileSync } from "node:fs";

import { printYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { listedMarkerDifference, ourMarkerAnswer, type MarkerQuestion } from "./marker-answers.ts";
import { compareAnswers } from "./part-result.ts";
import { listedYamlDifference, type JsonDocument } from "./yaml-answers.ts";

interface Recorded<Question> {
  readonly question: Question;
  readonly answer: unknown;
}

// Recorded by `node scripts/test-oracle.mjs --record --seed 1`.
describe("what controller-gen answered to random questions", () => {
  it("about markers is what our parser reads", () => {
    const recorded = readRecording<MarkerQuestion>("marker-answers");
    const differences: string[] = [];
    const result = compareAnswers({
      name: "marker texts",
      questions: recorded.map(({ question }) => question),
      theirs: recorded.map(({ answer }) => answer),
      ours: ourMarkerAnswer,
      print: (text) => void differences.push(text),
      listed: listedMarkerDifference,
    });
    expect(differences).toEqual([]);
    expect(result.passed).toBe(400);
    const kinds = recorded.map(({ answer }) => (answer as { readonly kind: string }).kind);
    expect(new Set(kinds)).toEqual(new Set(["value", "error", "unknown"]));
  });

  it("about YAML is what our printer writes", () => {
    const recorded = readRecording<JsonDocument>("yaml-answers");
    const differences: string[] = [];
    const result = compareAnswers({
      name: "YAML documents",
      questions: recorded.map(({ question }) => question),
      theirs: recorded.map(({ answer }) => answer),
      ours: printYaml,
      print: (text) => void differences.push(text),
      listed: listedYamlDifference,
    });
    expect(differences).toEqual([]);
    expect(result.passed).toBe(400);
  });
});

function readRecording<Question>(name: string): readonly Recorded<Question>[] {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8")) as Recorded<Question>[];
}

import { describeMarker, markerNames } from "@kubescaffold/generators/arguments";
import { nearestName } from "@kubescaffold/platform";

import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError, UnknownTopicError } from "../../command/errors.ts";
import { withCall } from "../../output/report-outcome.ts";
import { errorTexts } from "./error-texts.ts";
import { type ExplainedKind, explainField, fieldFacts, fieldNames, findKinds } from "./explain-field.ts";

/** Prints what the word of the command line means. Fails: {@link UnknownTopicError}, with the nearest topic if there is one. */
export async function runExplain(invocation: Invocation): Promise<number> {
  const [topic, ...others] = invocation.words;
  if (topic === undefined || others.length > 0) {
    throw new InvalidFlagError("explain needs exactly one topic: an error code, a marker, or a field", {
      hint: "write `scaffold explain PROJECT_NOT_FOUND`, or `scaffold explain deployment.spec`",
    });
  }
  const { text, facts } = await explained(topic, invocation);
  const printed = invocation.printsJson ? JSON.stringify({ topic, ...facts }, undefined, 2) : text;
  invocation.terminal.writeOut(`${printed}\n`);
  return 0;
}

/** An explanation, as text and as the members of a JSON object. */
interface Explanation {
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

async function explained(topic: string, invocation: Invocation): Promise<Explanation> {
  if (/^[A-Z]+_[A-Z0-9_]+$/u.test(topic)) return explainCode(topic);
  if (/[+:]/u.test(topic)) return explainMarker(topic);
  const [name = "", ...path] = topic.split(".");
  const { kinds, unreadable } = await findKinds(invocation.cwd);
  for (const error of unreadable)
    invocation.terminal.writeError(
      `warning: cannot explain kinds of this file: ${error.message}\n${withCall("hint: run `npm run manifests` to regenerate it", invocation.program)}\n`,
    );
  const wanted = name.toLowerCase();
  const found = kinds.find(({ names }) => names.includes(wanted));
  if (found !== undefined) {
    const kind = await withDescriptions(found);
    return { text: explainField(kind, path), facts: { kind: "field", ...fieldFacts(kind, path) } };
  }
  const nearest = nearestName(
    wanted,
    kinds.flatMap(({ names }) => names),
  );
  throw new UnknownTopicError(topic, nearest === undefined ? undefined : [nearest, ...path].join("."));
}

// `scaffold k8s-docs` caches them; kinds of the project have their own.
async function withDescriptions(kind: ExplainedKind): Promise<ExplainedKind> {
  if (kind.describedBy === undefined) return kind;
  const { readDescriptions } = await import("@kubescaffold/envtest/descriptions");
  const descriptions = await readDescriptions();
  return descriptions === undefined ? kind : kind.describedBy(descriptions.types);
}

/** Returns the topics that start with a word: error codes, markers, and the kinds and fields in a folder. */
export async function topicsFor(word: string, folder: string): Promise<readonly string[]> {
  const topics = [...errorRows().map(([code = ""]) => code), ...markerNames().map((name) => `+${name}`)];
  const [name = "", ...path] = word.split(".");
  const { kinds } = await findKinds(folder);
  const kind = kinds.find(({ names }) => names.includes(name.toLowerCase()));
  const fields = path.length === 0 || kind === undefined ? [] : fieldNames(kind, path.slice(0, -1));
  topics.push(
    ...kinds.map((each) => each.kind.toLowerCase()),
    ...fields.map((field) => [name, ...path.slice(0, -1), field].join(".")),
  );
  return [...new Set(topics)].filter((topic) => topic.startsWith(word)).toSorted();
}

function errorRows(): readonly (readonly string[])[] {
  return errorTexts.split("\n").map((line) => line.split("\t"));
}

function explainCode(code: string): Explanation {
  const rows = errorRows();
  const row = rows.find(([each]) => each === code);
  if (row === undefined) {
    throw new UnknownTopicError(
      code,
      nearestName(
        code,
        rows.map(([each = ""]) => each),
      ),
    );
  }
  const [, meaning = "", fix = ""] = row;
  const text = `${code}\n\nMeaning:  ${meaning}.\nFix:      ${fix}.`;
  return { text, facts: { kind: "error", code, meaning, fix } };
}

function explainMarker(topic: string): Explanation {
  const found = describeMarker(topic);
  if (found !== undefined) return { text: found.text, facts: { kind: "marker", definitions: found.definitions } };
  const name = topic.replace(/^\+/u, "").split("=", 1)[0] ?? "";
  const nearest = nearestName(name, markerNames());
  throw new UnknownTopicError(topic, nearest === undefined ? undefined : `+${nearest}`);
}

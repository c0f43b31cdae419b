// Compares costs and findings for every rule of the CustomResourceDefinitions in a folder of YAML files with upstream's. It needs Go:
//   npx tsx --conditions=@kubescaffold/source packages/schema/test/oracle/rules/compare-folder.ts <folder>
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { fieldErrorToString } from "@kubescaffold/k8s";
import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";

import { estimateCost } from "../../../src/cel/cost/estimate-cost.ts";
import { ruleChecks } from "../../../src/cel/rules/check-rules.ts";
import { compileRule } from "../../../src/cel/rules/compile-rule.ts";
import { childScopes, rootScope, type RuleScope } from "../../../src/cel/rules/rule-scope.ts";
import { containsRules } from "../../../src/contains-rules.ts";
import type { JsonSchema } from "../../../src/model/json-schema.ts";
import { checkStructural } from "../../../src/structural/check-structural.ts";
import type { RecordedRuleCases } from "./rule-answer.ts";

interface Subject {
  readonly name: string;
  readonly schema: JsonSchema;
}

interface Definition {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly versions?: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
    }[];
  };
}

const [folder = "."] = process.argv.slice(2);
const subjects = [...new Map(readSubjects().map((subject) => [JSON.stringify(subject.schema), subject])).values()];
const answers = ask(
  subjects.flatMap(({ schema }) => [
    { op: "rule-cost", schema },
    { op: "rule-check", schema },
  ]),
);
const score = { schemas: subjects.length, rules: 0, costsThatDiffer: 0, schemasThatDiffer: 0 };
subjects.forEach((subject, index) => compare(subject, answers.slice(2 * index, 2 * index + 2)));
process.stdout.write(`${JSON.stringify(score)}\n`);

function readSubjects(): readonly Subject[] {
  return readdirSync(folder)
    .filter((file) => /\.ya?ml$/u.test(file))
    .flatMap(readDefinitions)
    .filter((document) => document?.kind === "CustomResourceDefinition")
    .flatMap(({ metadata, spec }) =>
      (spec?.versions ?? []).flatMap(({ name, schema }) => {
        const found = schema?.openAPIV3Schema;
        return found === undefined || !containsRules(found)
          ? []
          : [{ name: `${metadata?.name ?? ""} ${name}`, schema: found }];
      }),
    );
}

// Projects keep templates among their manifests, which are not YAML.
function readDefinitions(file: string): readonly Definition[] {
  try {
    return readYamlDocuments(readFileSync(path.join(folder, file), "utf8")) as readonly Definition[];
  } catch (error) {
    if (error instanceof YamlError) {
      process.stdout.write(`left out: ${file}\n`);
      return [];
    }
    throw error;
  }
}

function ask(cases: readonly object[]): readonly object[] {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const input = JSON.stringify(cases);
  return JSON.parse(
    execFileSync("go", ["run", "./rules"], { cwd, input, encoding: "utf8", maxBuffer: 2 ** 30 }),
  ) as readonly object[];
}

function compare({ name, schema }: Subject, [cost, check]: readonly object[]): void {
  const { costs } = cost as RecordedRuleCases["rule-cost"]["answer"];
  const own = new Map(costsOf(rootScope(schema, "")));
  for (const rule of costs) {
    const wanted = rule.error === undefined ? `${rule.min} to ${rule.max}` : "rejected";
    score.rules += 1;
    if (own.get(rule.path) !== wanted) {
      score.costsThatDiffer += 1;
      process.stdout.write(`${name} ${rule.path}: ${own.get(rule.path) ?? "nothing"} in place of ${wanted}\n`);
    }
  }
  const { errors } = check as RecordedRuleCases["rule-check"]["answer"];
  const found = checkStructural(schema, { rules: ruleChecks });
  const lines = found.map((error) => `${error.type} ${fieldErrorToString(error)}`).sort();
  if (JSON.stringify(lines) !== JSON.stringify(errors)) {
    score.schemasThatDiffer += 1;
    process.stdout.write(`${name}: ${JSON.stringify(lines)} in place of ${JSON.stringify(errors)}\n`);
  }
}

function costsOf(scope: RuleScope): readonly (readonly [string, string])[] {
  const trail = scope.trail.map(({ name }) => name).join("");
  const declared = scope.declared();
  const here = (scope.schema["x-kubernetes-validations"] ?? []).map((rule, index): readonly [string, string] => {
    const compiled = declared === undefined ? undefined : compileRule(rule, declared);
    if (declared === undefined || compiled?.kind !== "compiled") {
      return [`${trail}#${String(index)}`, "rejected"];
    }
    const { min, max } = estimateCost(compiled.rule.checked, declared);
    return [`${trail}#${String(index)}`, `${String(min)} to ${String(max)}`];
  });
  return [...here, ...childScopes(scope).flatMap(costsOf)];
}

import {
  type GeneratorOptions,
  isGeneratorOption,
  optionProblems,
  parseOptionWord,
} from "@kubescaffold/generators/arguments";

import { BASE_SECTION, baseSection, type ProjectConfig, withBaseSection } from "../../project/project-config.ts";
import type { ProjectDocument } from "../../project/project-file.ts";
import { InvalidFlagError } from "../command/errors.ts";
import { GENERATOR_OPTIONS_FLAG } from "./generating-flags.ts";

const OPTIONS = "generators";

/**
 * Returns the options that PROJECT has.
 *
 * Fails: `ProjectInvalidError` with the place of each unknown generator, unknown option, and value of the wrong type.
 */
export function readGeneratorOptions(document: ProjectDocument): GeneratorOptions {
  const options = baseSection(document.project)[OPTIONS];
  if (options === undefined || options === null) return {};
  const problems = optionProblems(options).map(({ path, message }) => ({ path: optionPath(path), message }));
  if (problems.length > 0) throw document.invalid(problems);
  return options as GeneratorOptions;
}

/** Returns the options of `--generator-options`, and those that it removes. Fails: {@link InvalidFlagError}. */
export function flaggedOptions(words: readonly string[]): OptionChanges {
  let added: GeneratorOptions = {};
  const removed: [generator: string, option: string][] = [];
  for (const word of words) {
    const { generator, option } = /^(?<generator>\w+):(?<option>\w+)=$/u.exec(word)?.groups ?? {};
    if (generator === undefined || option === undefined)
      added = changeOptions(added, { added: parse(word), removed: [] });
    else if (isGeneratorOption(generator, option)) removed.push([generator, option]);
    else throw invalid(word, optionProblems({ [generator]: { [option]: "" } })[0]?.message ?? "");
  }
  return { added, removed };
}

function parse(word: string): GeneratorOptions {
  const parsed = parseOptionWord(word);
  if (parsed.kind === "problem") throw invalid(word, parsed.message);
  return parsed.options;
}

/** Changes of options. */
export interface OptionChanges {
  readonly added: GeneratorOptions;
  readonly removed: readonly (readonly [generator: string, option: string])[];
}

function invalid(word: string, problem: string): InvalidFlagError {
  return new InvalidFlagError(`invalid argument "${word}" for "--${GENERATOR_OPTIONS_FLAG.name}": ${problem}`, {
    hint: `write generator:option=value, such as crd:maxDescLen=0; \`gen -h\` lists the options`,
  });
}

/** Returns options with changes. */
export function changeOptions(options: GeneratorOptions, { added, removed }: OptionChanges): GeneratorOptions {
  const names = [...new Set([...Object.keys(options), ...Object.keys(added)])].toSorted();
  const isRemoved = (generator: string, option: string): boolean =>
    removed.some(([name, each]) => name === generator && each === option);
  const changed = names.map((name) => {
    const entries = Object.entries({ ...options[name], ...added[name] }).filter(([option]) => !isRemoved(name, option));
    return [name, Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))] as const;
  });
  return Object.fromEntries(changed.filter(([, values]) => Object.keys(values).length > 0));
}

/** Returns the project with these options in PROJECT. */
export function withGeneratorOptions(project: ProjectConfig, options: GeneratorOptions): ProjectConfig {
  const { [OPTIONS]: _former, ...others } = baseSection(project);
  return withBaseSection(project, Object.keys(options).length === 0 ? others : { ...others, [OPTIONS]: options });
}

/** Returns the keys of PROJECT that lead to an option. */
export function optionPath(path: readonly string[]): readonly string[] {
  return ["plugins", BASE_SECTION, OPTIONS, ...path];
}

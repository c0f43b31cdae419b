/**
 * The arguments of controller-gen: generators with options, `paths=`, and output rules, as words of a command line and as settings of a project,
 * and the help texts of options and markers.
 */
export {
  type ArgumentHelp,
  describeArguments,
  type DescribedMarker,
  describeMarker,
  type HelpRequest,
  markerNames,
  readHelpRequest,
} from "./describe-arguments.ts";
export {
  type GeneratorOptions,
  isGeneratorOption,
  type OptionProblem,
  optionProblems,
  parseOptionWord,
  printGenerator,
} from "./generator-options.ts";
export {
  type GeneratorRequest,
  type OutputRule,
  parseGeneratorArguments,
  type RequestedGenerator,
  sourceFolders,
} from "./parse-arguments.ts";

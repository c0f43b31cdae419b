/**
 * The markers of kubebuilder: all of them with their arguments ({@link MARKER_DEFINITIONS}), and the parser of a comment line ({@link parseMarker}).
 */
export { CATALOGUE, MARKER_DEFINITIONS } from "./catalogue.ts";
export type {
  ArgumentDefinition,
  ArgumentType,
  MarkerDefinition,
  MarkerTarget,
  MarkerValue,
} from "./definitions/marker-definition.ts";
export { parseMarker } from "./parse-marker.ts";
export type { MarkerCatalogue, MarkerProblem, ParsedMarker } from "./parsed-marker.ts";

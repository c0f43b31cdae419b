import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  maskTrailingDash,
  qualifiedNameErrors,
} from "@kubescaffold/k8s";

import { checkerOf } from "../../formats/string-formats.ts";
import { type CelType, structType } from "./cel-type.ts";
import { CelObject, type CelError, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";
import { urlProblem } from "./url.ts";

const FORMAT_TYPE = structType("kubernetes.NamedFormat");

/** A format that rules know by name. */
export class CelFormat extends CelObject {
  readonly type: CelType = FORMAT_TYPE;
  readonly name: string;
  /** The length of the pattern that upstream counts for it: what a validation costs depends on it. */
  readonly patternLength: number;
  /** Describes what is wrong with a text. */
  readonly validate: (text: string) => readonly string[];

  constructor({ name, patternLength, validate }: FormatSketch) {
    super();
    this.name = name;
    this.patternLength = patternLength;
    this.validate = validate;
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof CelFormat ? other.name === this.name : noSuchOverload();
  }
}

interface FormatSketch {
  readonly name: string;
  readonly patternLength: number;
  readonly validate: (text: string) => readonly string[];
}

/** The formats, by the names of their functions. */
export const NAMED_FORMATS: ReadonlyMap<string, CelFormat> = new Map(
  Object.entries({
    dns1123Label: { name: "DNS1123Label", patternLength: 30, validate: labelErrors },
    dns1123Subdomain: { name: "DNS1123Subdomain", patternLength: 60, validate: dns1123SubdomainErrors },
    dns1035Label: { name: "DNS1035Label", patternLength: 30, validate: dns1035LabelErrors },
    qualifiedName: { name: "QualifiedName", patternLength: 60, validate: qualifiedNameErrors },
    dns1123LabelPrefix: { name: "DNS1123LabelPrefix", patternLength: 30, validate: asPrefix(labelErrors) },
    dns1123SubdomainPrefix: {
      name: "DNS1123SubdomainPrefix",
      patternLength: 60,
      validate: asPrefix(dns1123SubdomainErrors),
    },
    dns1035LabelPrefix: { name: "DNS1035LabelPrefix", patternLength: 30, validate: asPrefix(dns1035LabelErrors) },
    labelValue: { name: "LabelValue", patternLength: 40, validate: labelValueErrors },
    uri: { name: "URI", patternLength: 1103, validate: checked("uri", urlProblem) },
    uuid: { name: "uuid", patternLength: 70, validate: checked("uuid", () => "does not match the UUID format") },
    byte: { name: "byte", patternLength: 84, validate: checked("byte", () => "invalid base64") },
    date: { name: "date", patternLength: 71, validate: checked("date", () => "invalid date") },
    datetime: { name: "datetime", patternLength: 71, validate: checked("datetime", () => "invalid datetime") },
  }).map(([name, sketch]) => [name, new CelFormat(sketch)]),
);

// A label and a subdomain are distinguished only for single labels.
function labelErrors(text: string): readonly string[] {
  return dns1123LabelErrors(text);
}

function asPrefix(validate: (text: string) => readonly string[]): (text: string) => readonly string[] {
  return (text) => validate(maskTrailingDash(text));
}

function checked(format: string, problem: (text: string) => string): (text: string) => readonly string[] {
  const isValid = checkerOf(format);
  return (text) => (isValid?.(text) === true ? [] : [problem(text)]);
}

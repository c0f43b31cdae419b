import { canonicalQuantity, goQuote, goUnmarshalError, ScaffoldError, serverInteger } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { corruptBase64Byte } from "../../request/corrupt-base64.ts";
import { conversionProblem, type GoKind } from "./conversion-problem.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** What all decoders of one object share. */
export interface Decoding {
  readonly unknownFields: string[];
  /** Paths of the empty lists, maps, and bytes that count as absent. */
  readonly emptyFields: string[];
  /** Whether numbers are converted to the integers of fields, as those of an apply are, and not read as such. */
  readonly convertsNumbers: boolean;
}

/** Where a decoder is in an object, for messages. Paths are made for those who ask, since most values need none. */
export class DecodeStep {
  readonly decoding: Decoding;
  /** The name of the innermost struct. */
  readonly struct: string;
  readonly #above: DecodeStep | undefined;
  readonly #segment: string;
  // Empty for entries and items, which Go does not state.
  readonly #goSegment: string;

  private constructor(above: DecodeStep | undefined, decoding: Decoding, names: StepNames) {
    this.decoding = decoding;
    this.struct = names.struct;
    this.#above = above;
    this.#segment = names.segment;
    this.#goSegment = names.goSegment;
  }

  /** Returns the step of a whole object. */
  static root(struct: string, decoding: Decoding): DecodeStep {
    return new DecodeStep(undefined, decoding, { struct, segment: "", goSegment: "" });
  }

  /** Returns the step of a field of a struct, which Go may name otherwise. */
  field(name: string, goName: string, struct: string): DecodeStep {
    return new DecodeStep(this, this.decoding, { struct, segment: `.${name}`, goSegment: `.${goName}` });
  }

  /** Returns the step of an entry of a map. */
  entry(name: string): DecodeStep {
    return new DecodeStep(this, this.decoding, { struct: this.struct, segment: `.${name}`, goSegment: "" });
  }

  /** Returns the step of an item of a list. */
  item(index: number): DecodeStep {
    return new DecodeStep(this, this.decoding, { struct: this.struct, segment: `[${String(index)}]`, goSegment: "" });
  }

  /** The path from the root, without a leading dot. */
  get path(): string {
    return DecodeStep.#joined(this, (step) => step.#segment);
  }

  /** The same path with the names of fields only, as Go states it. */
  get goPath(): string {
    return DecodeStep.#joined(this, (step) => step.#goSegment);
  }

  static #joined(last: DecodeStep, segmentOf: (step: DecodeStep) => string): string {
    let path = "";
    for (let step: DecodeStep | undefined = last; step !== undefined; step = step.#above) path = segmentOf(step) + path;
    return path.slice(1);
  }
}

interface StepNames {
  readonly struct: string;
  readonly segment: string;
  readonly goSegment: string;
}

/**
 * Reads a value as Go would: checks its type, drops what is unknown, brings scalars to their canonical form.
 *
 * Undefined stands for null, which counts as absent.
 */
export type Decoder = (value: unknown, step: DecodeStep) => unknown;

/** Returns the decoder of a scalar type, or of a definition that is read in its own way; a type of texts may have its own name in Go. */
export function leafDecoder(name: string, format?: string, textType?: string): Decoder | undefined {
  switch (name) {
    case "string":
      return format === "byte" ? bytes : textType === undefined ? text : textOf(textType);
    case "integer":
      return format === "int32" ? integer("int32", 2 ** 31 - 1) : integer("int64", Number.MAX_SAFE_INTEGER);
    case "number":
      return float;
    case "boolean":
      return flag;
    case "io.k8s.apimachinery.pkg.api.resource.Quantity":
      return quantity;
    case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
      return intOrString;
    case `${META}.Time`:
      return time;
    case `${META}.MicroTime`:
      return microTime;
    case `${META}.FieldsV1`:
    case "io.k8s.apimachinery.pkg.runtime.RawExtension":
      return freeObject;
    case "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON":
      return anything;
    default:
      return undefined;
  }
}

const anything: Decoder = (value) => value;

/** Reads a plain text, which stays as it is. */
export const text: Decoder = textOf("string");

function textOf(goType: string): Decoder {
  return (value, step) => {
    if (value === null || typeof value === "string") {
      return value ?? undefined;
    }
    throw new TypeMismatchError({ value, step, goType });
  };
}

const flag: Decoder = (value, step) => {
  if (value === null || typeof value === "boolean") {
    return value ?? undefined;
  }
  throw new TypeMismatchError({ value, step, goType: "bool" });
};

const float: Decoder = (value, step) => {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value === "number") {
    return value ?? undefined;
  }
  throw new TypeMismatchError({ value, step, goType: "float64" });
};

function integer(goType: string, largest: number): Decoder {
  return (value, step) => {
    if (value === null) {
      return undefined;
    }
    if (step.decoding.convertsNumbers && (typeof value === "bigint" || typeof value === "number"))
      return converted(value, goType);
    if (typeof value === "bigint" && goType === "int64") return value;
    if (typeof value !== "number" || !Number.isInteger(value) || Math.abs(value) > largest + 1) {
      throw new TypeMismatchError({ value, step, goType });
    }
    return value;
  };
}

// Go refuses fractions, and drops the upper half of integers that are too large.
function converted(value: number | bigint, goType: string): number | bigint {
  if (typeof value === "number" && !Number.isInteger(value)) throw new FractionError(goType);
  const whole = typeof value === "bigint" ? value : BigInt(Math.trunc(value));
  return goType === "int32" ? Number(BigInt.asIntN(32, whole)) : serverInteger(BigInt.asIntN(64, whole));
}

const bytes: Decoder = (value, step) => {
  if (value === null) {
    return undefined;
  }
  if (typeof value !== "string") {
    throw new TypeMismatchError({ value, step, goType: "[]uint8" });
  }
  const position = corruptBase64Byte(value);
  if (position !== undefined) {
    throw new UnreadableScalarError(`illegal base64 data at input byte ${String(position)}`);
  }
  return value.replaceAll(/[\r\n]/g, "");
};

const quantity: Decoder = (value) => {
  if (value === null) {
    return undefined;
  }
  try {
    return canonicalQuantity(typeof value === "bigint" ? String(value) : (value as string));
  } catch {
    throw new UnreadableScalarError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
};

const intOrString: Decoder = (value, step) => {
  if (value === null) {
    return undefined;
  }
  if (typeof value === "string" || (typeof value === "number" && Number.isInteger(value))) {
    return value;
  }
  throw new TypeMismatchError({ value, step, goType: "int32" });
};

const SECONDS_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICROS_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";

const time: Decoder = (value, step) =>
  typeof value === "string" && CANONICAL_TIME.test(value)
    ? value
    : readTime(value, step, SECONDS_LAYOUT, (date) => `${date.toISOString().slice(0, 19)}Z`);

// Times that servers have written, but for the last days of a month, which not every month has.
const CANONICAL_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

const microTime: Decoder = (value, step) => readTime(value, step, MICROS_LAYOUT, withMicroseconds);

// The layout has six digits, and Go takes no other number of them.
function withMicroseconds(date: Date, source: string): string {
  const rest = source.slice("2006-01-02T15:04:05".length);
  const [, fraction, zone] = /^(\.\d{6})(.*)$/.exec(rest) ?? [];
  if (fraction === undefined || zone === undefined || /^\d/.test(zone)) {
    const [part, expected] = fraction === undefined ? [rest, ".000000"] : [zone, "Z07:00"];
    throw new UnreadableScalarError(
      `parsing time ${goQuote(source)} as ${goQuote(MICROS_LAYOUT)}: cannot parse ${goQuote(part ?? "")} as ${goQuote(expected)}`,
    );
  }
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function readTime(
  value: unknown,
  step: DecodeStep,
  layout: string,
  print: (date: Date, source: string) => string,
): unknown {
  if (value === null || value === "") {
    return undefined;
  }
  if (typeof value !== "string") {
    throw new TypeMismatchError({ value, step, goType: "string" });
  }
  const date = new Date(value);
  if (!RFC_3339.test(value) || Number.isNaN(date.getTime())) {
    throw new UnreadableScalarError(
      `parsing time ${goQuote(value)} as ${goQuote(layout)}: cannot parse ${goQuote(value)} as "2006"`,
    );
  }
  return print(date, value);
}

const freeObject: Decoder = (value, step) => {
  if (value === null || isRecord(value)) {
    return value ?? undefined;
  }
  throw new TypeMismatchError({ value, step, goType: "map[string]interface {}" });
};

/**
 * Thrown when a value in a request body does not match the type of its field; clients get a 400 with the same message.
 *
 * Fix: Fix the field in the message.
 */
export class TypeMismatchError extends ScaffoldError {
  readonly code = "APISERVER_TYPE_MISMATCH";
  /** The words of Go for a value of a map in place of JSON. */
  readonly conversion: string;

  constructor(mismatch: {
    readonly value: unknown;
    readonly step: { readonly goPath: string; readonly struct: string };
    readonly goType: string;
    readonly kind?: GoKind;
  }) {
    const { value, step, goType, kind } = mismatch;
    const target = step.goPath === "" ? "value" : `struct field ${step.struct}.${step.goPath}`;
    super(goUnmarshalError(value, goType, target));
    this.conversion = conversionProblem(value, goType, kind);
  }
}

/** Thrown for a fraction in a field of integers of a merged object; never leaves the decoding. */
export class FractionError extends Error {
  constructor(goType: string) {
    super(`cannot convert float64 to ${goType}`);
  }
}

/**
 * Thrown when a quantity, time, or base64 string in a request body is invalid; clients get a 400 with the same message.
 *
 * Fix: Fix the value in the message.
 */
export class UnreadableScalarError extends ScaffoldError {
  readonly code = "APISERVER_UNREADABLE_SCALAR";
}

import {
  checkJsonDepth,
  DEEPEST_JSON,
  StatusError,
  type GroupVersionKind,
  type FieldError,
  gvkToString,
  nestedField,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import {
  applyDefaults,
  deepEqual,
  itemsOf,
  propertyOf,
  resolveSchema,
  additionalSchemaOf,
  type JsonSchema,
} from "@kubescaffold/schema/values";

import type { Release } from "../../release/release.ts";
import { inRelease, rulesIn } from "../../release/rule-release.ts";
import { badRequest, plainError } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { noteStatedEmpty, withSortedMembers } from "../fields.ts";
import { keepUserMetadata } from "../object-meta.ts";
import type { FieldErrors, ScalePaths, Strategy, StrategyContext } from "../strategy.ts";
import { decoderOf } from "./body-decoder.ts";
import { builtInJsonSchema, type ResolvableSchema } from "./built-in-json-schema.ts";
import { changedMetadataChecks } from "./changed-metadata.ts";
import { DecodeStep, type Decoder, type Decoding, FractionError, TypeMismatchError } from "./leaf-decoders.ts";
import type { BuiltInRules } from "./rules/built-in-rules.ts";
import type { BuiltInChecks } from "./rules/checks/built-in-checks.ts";
import { completeTimes } from "./unknown-times.ts";

/** Creates the strategy of a built-in kind from its schema in a release, and its rules, which are none by default, as are its subresources. */
export function createBuiltInStrategy(
  release: Release,
  gvk: GroupVersionKind,
  { rules = {}, subresources }: { readonly rules?: BuiltInRules; readonly subresources?: ReadonlySet<string> } = {},
): Strategy {
  const { api } = release;
  const hasStatus = subresources?.has("status") === true;
  const schema = builtInJsonSchema(api, gvk);
  const definition = api.definitionNameOf(gvk);
  const decoder: Decoder = definition === undefined ? (object) => object : decoderOf(api, definition);
  const keep = (object: ApiObject): ApiObject => object;
  const fieldErrors = (object: ApiObject): readonly FieldError[] =>
    rules.checksEveryField === true ? [] : requiredErrors(schema, object);
  const checks = checksOf(rules);
  const optional = pickDefined({
    gracePeriod: rules.gracePeriod,
    markForDeletion: rules.markForDeletion,
    isHeld: rules.isHeld,
    marksPlainly: rules.marksPlainly,
    orphanWarning: rules.orphanWarning,
    prepareChecks: checks.prepare,
    scale: rules.scale,
    shown: rules.shown,
    takesPlainFinalizers: rules.takesPlainFinalizers,
  });
  return rulesIn(release, {
    ...optional,
    decode: (object, { unknownFields, ...reading }) => {
      if (rules.mostLevels !== undefined) checkLevels(gvk, object, rules.mostLevels);
      const emptyFields: string[] = [];
      const decoded = readBody(gvk, decoder, object, { unknownFields, emptyFields, ...reading });
      rules.setDefaults?.(decoded);
      const defaulted = applyDefaults(schema.schema, decoded as never, { resolve: schema.resolve }) as ApiObject;
      completeTimes(defaulted);
      rules.complete?.(defaulted);
      noteStatedEmpty(defaulted, emptyFields);
      if (emptyFields.some((path) => countsAsEmptied(rules, defaulted, path))) withEmptyFields.add(defaulted);
      return defaulted;
    },
    toStored: rules.toStored ?? keep,
    fromStored: rules.fromStored ?? rules.shown ?? keep,
    prepareForCreate: (object, context) => {
      if (hasStatus && rules.keepsInitialStatus !== true) {
        resetStatus(object, undefined, schema);
      }
      rules.prepareForCreate?.(object, context);
    },
    prepareForUpdate: (object, old, context) => {
      if (hasStatus) {
        keepOtherParts(object, old, context);
        if (rules.keepsMetadataForStatus === true && context.subresource === "status") keepUserMetadata(object, old);
      }
      rules.prepareForUpdate?.(object, old, context);
    },
    ...validationOf(release, checks, fieldErrors),
    warnings: (object, old, subresource) => {
      const { warnings, statusWarnings } = checks.current();
      if (subresource === "status") return statusWarnings?.(object) ?? [];
      return subresource === "" ? (warnings?.(object, old) ?? []) : [];
    },
    nameRule: rules.nameRule ?? "subdomain",
    changedMetadata: (subresource) => changedMetadataChecks(gvk, subresource),
    isNewGeneration: generationCheck(rules),
    ...(rules.startsWithoutGeneration === true ? { startsWithoutGeneration: true } : {}),
    allowsCreateOnUpdate: rules.allowsCreateOnUpdate ?? false,
    allowsUnconditionalUpdate: rules.allowsUnconditionalUpdate ?? true,
    defaultPropagation: rules.defaultPropagation ?? "background",
    returnsDeletedObject: rules.returnsDeletedObject ?? false,
    takesStrategicPatches: true,
    selectableFields: new Map(Object.entries(rules.selectableFields ?? {})),
    hasOwnFieldSelectors: rules.selectableFields !== undefined,
  });
}

function checkLevels({ version, kind }: GroupVersionKind, object: ApiObject, mostLevels: number): void {
  try {
    checkJsonDepth(object, DEEPEST_JSON - mostLevels);
  } catch {
    const problem = `json: exceeded max depth of ${String(mostLevels)}`;
    throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`);
  }
}

function validationOf(
  release: Release,
  checks: Checks,
  fieldErrors: (object: ApiObject) => readonly FieldError[],
): Pick<Strategy, "validate" | "validateUpdate"> {
  return {
    validate: (object, context) =>
      errorsInKeyOrder(release, object, (each) =>
        joined(fieldErrors(each), checks.current().validate?.(each, context)),
      ),
    validateUpdate: (object, old, context) =>
      errorsInKeyOrder(release, object, (each) =>
        context.subresource === "status"
          ? (checks.current().validateStatus?.(each, old, context) ?? [])
          : joined(
              context.subresource === "" ? fieldErrors(each) : undefined,
              context.subresource === "" ? checks.current().validate?.(each, context, old) : undefined,
              checks.current().validateUpdate?.(each, old, context),
            ),
      ),
  };
}

// The checks of most kinds are not worth a promise.
function joined(...parts: readonly (FieldErrors | undefined)[]): FieldErrors {
  const errors: FieldError[] = [];
  for (const [index, part = []] of parts.entries()) {
    if (part instanceof Promise)
      return Promise.all(parts.slice(index).map(async (each) => each)).then((rest) => [
        ...errors,
        ...rest.flatMap((each = []) => each),
      ]);
    errors.push(...part);
  }
  return errors;
}

// Upstream reads most maps in a random order. Only an object with several errors is checked a second time, with sorted keys.
function errorsInKeyOrder(release: Release, object: ApiObject, check: (object: ApiObject) => FieldErrors): FieldErrors {
  const sorted = (errors: readonly FieldError[]): FieldErrors =>
    errors.length < 2 ? errors : inRelease(release, () => check(withSortedMembers(object)));
  const errors = check(object);
  return errors instanceof Promise ? errors.then(sorted) : sorted(errors);
}

interface Checks {
  /** Undefined where nothing is ever loaded. */
  readonly prepare: Strategy["prepareChecks"];
  /** Returns the checks, which `prepare` has loaded. */
  readonly current: () => BuiltInChecks;
}

function checksOf(rules: BuiltInRules): Checks {
  const { loadChecks, prepareChecks } = rules;
  if (loadChecks === undefined) return { prepare: prepareChecks, current: () => rules };
  let loaded: BuiltInChecks | undefined;
  const load = async (object: ApiObject): Promise<void> => {
    loaded = await loadChecks();
    await prepareChecks?.(object);
  };
  return {
    prepare: (object) => (loaded === undefined ? load(object) : prepareChecks?.(object)),
    current: () => {
      if (loaded === undefined) throw new TypeError("cannot check an object: the checks of its kind are not loaded");
      return loaded;
    },
  };
}

type OptionalParts = Partial<
  Pick<
    Strategy,
    | "gracePeriod"
    | "markForDeletion"
    | "isHeld"
    | "marksPlainly"
    | "orphanWarning"
    | "prepareChecks"
    | "shown"
    | "takesPlainFinalizers"
  >
> & {
  scale?: ScalePaths;
};

function pickDefined(parts: { readonly [Key in keyof OptionalParts]: OptionalParts[Key] | undefined }): OptionalParts {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

// Objects of updates that state empty lists or maps.
const withEmptyFields = new WeakSet<ApiObject>();

function countsAsEmptied(rules: BuiltInRules, object: ApiObject, path: string): boolean {
  return rules.countsEmptyFields === true && isWithin(path, rules.generationFields) && !hasDefault(object, path);
}

// Fields of elements of lists have none.
function hasDefault(object: ApiObject, path: string): boolean {
  return nestedField(object, path.split(".")) !== undefined;
}

function isWithin(path: string, fields: readonly string[] = []): boolean {
  return fields.some((field) => /^[.[]/u.test(path.slice(field.length)) && path.startsWith(field));
}

function readBody(
  gvk: GroupVersionKind,
  decode: Decoder,
  object: ApiObject,
  {
    isMerged = false,
    isConverted = false,
    stated,
    ...lists
  }: Pick<Decoding, "unknownFields" | "emptyFields"> & Omit<Parameters<Strategy["decode"]>[1], "unknownFields">,
): ApiObject {
  try {
    const decoding = { convertsNumbers: isMerged || isConverted, ...lists };
    return decode(object, DecodeStep.root(gvk.kind, decoding)) as ApiObject;
  } catch (error) {
    if (error instanceof StatusError) {
      throw error;
    }
    if (error instanceof FractionError && !isConverted)
      throw conversionFailure(gvk, (stated ?? object).metadata, error.message);
    const problem = isConverted && error instanceof TypeMismatchError ? error.conversion : (error as Error).message;
    throw badRequest(`${gvk.kind} in version "${gvk.version}" cannot be handled as a ${gvk.kind}: ${problem}`);
  }
}

function conversionFailure(gvk: GroupVersionKind, metadata: unknown, problem: string): StatusError {
  const kind = gvkToString(gvk);
  const { namespace = "", name = "" } = (metadata ?? {}) as ApiObject["metadata"];
  const place = `${namespace}/${name}; ${kind}`;
  return plainError(
    `failed to convert new object (${place}) to proper version: unable to convert unstructured object to ${kind}: ${problem}`,
  );
}

function resetStatus(
  object: ApiObject,
  old: ApiObject | undefined,
  schema: ReturnType<typeof builtInJsonSchema>,
): void {
  if (old?.["status"] !== undefined) {
    object["status"] = old["status"];
    return;
  }
  delete object["status"];
  const completed = applyDefaults(schema.schema, object as never, { resolve: schema.resolve }) as ApiObject;
  if (completed["status"] !== undefined) {
    object["status"] = completed["status"];
  }
}

// The resource itself keeps the status; its status endpoint keeps everything else, metadata of users included.
function keepOtherParts(object: ApiObject, old: ApiObject, context: StrategyContext): void {
  if (context.subresource === "status" || context.subresource === "approval") {
    const { status } = object;
    for (const key of Object.keys(object)) {
      if (key !== "status" && key !== "metadata") {
        delete object[key];
      }
    }
    for (const [key, value] of Object.entries(old)) {
      if (key !== "status" && key !== "metadata") {
        object[key] = value;
      }
    }
    if (status !== undefined) {
      object["status"] = status;
    }
  } else if (old["status"] === undefined) {
    delete object["status"];
  } else {
    object["status"] = old["status"];
  }
}

function generationCheck({
  generationFields: fields,
  countsAnnotations = false,
  countsLabels = false,
}: BuiltInRules): Strategy["isNewGeneration"] {
  return fields === undefined
    ? undefined
    : (object, old, subresource) =>
        fields.some((field) => !deepEqual(object[field], old[field])) ||
        withEmptyFields.has(object) ||
        (countsLabels && !deepEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {})) ||
        (countsAnnotations &&
          subresource !== "status" &&
          !deepEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}));
}

/** Returns an error for every required field of a built-in object that is absent or empty, and for values outside an enum. */
function requiredErrors(schema: ResolvableSchema, object: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  walk({ schema: schema.schema, value: object, path: "", resolvable: schema, errors });
  return errors;
}

interface Step {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: string;
  readonly resolvable: ResolvableSchema;
  readonly errors: FieldError[];
}

function walk(step: Step): void {
  const schema = resolveSchema(step.schema, step.resolvable);
  const { value, path, errors } = step;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items !== undefined) {
      value.forEach((item, index) => walk({ ...step, schema: items, value: item, path: `${path}[${index}]` }));
    }
    return;
  }
  if (isRecord(value)) {
    walkObject(step, schema, value);
    return;
  }
  const { enum: values } = schema;
  if (values !== undefined && typeof value === "string" && value !== "" && !values.includes(value)) {
    const supported = values.filter((item) => item !== "").map((item) => JSON.stringify(item));
    errors.push({
      type: "FieldValueNotSupported",
      field: path,
      badValue: value,
      detail: `supported values: ${supported.join(", ")}`,
    });
  }
}

// Metadata and the conversion of definitions have their own checks; the status is written by controllers, not by users.
const CHECKED_ELSEWHERE: ReadonlySet<string> = new Set(["metadata", "status", "spec.conversion"]);
// So have the schemas of definitions, at whatever depth.
const SCHEMA = "openAPIV3Schema";

function walkObject(step: Step, schema: JsonSchema, value: Record<string, unknown>): void {
  const { path, errors } = step;
  for (const name of schema.required ?? []) {
    const field = value[name];
    if (path !== "" && (field === undefined || field === "")) {
      errors.push({ type: "FieldValueRequired", field: `${path}.${name}`, detail: "" });
    }
  }
  for (const [name, field] of Object.entries(value)) {
    const property = propertyOf(schema, name) ?? additionalSchemaOf(schema);
    const place = path === "" ? name : `${path}.${name}`;
    const isElsewhere = name === SCHEMA || CHECKED_ELSEWHERE.has(place);
    if (property !== undefined && !isElsewhere) {
      walk({ ...step, schema: property, value: field, path: place });
    }
  }
}

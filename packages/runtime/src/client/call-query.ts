import type { PatchOptions, Selection, WriteOptions } from "./options.ts";

/** Query parameters; undefined ones are left out. */
export type CallQuery = Readonly<Record<string, string | undefined>>;

/** Returns the parameters of a writing call. */
export function writeQuery(options: WriteOptions & Pick<PatchOptions, "forceOwnership">): CallQuery {
  return {
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldManager: options.fieldOwner === "" ? undefined : options.fieldOwner,
    fieldValidation: options.fieldValidation,
    force: options.forceOwnership === true ? "true" : undefined,
  };
}

/** Returns the parameters that choose objects. */
export function selectionQuery(selection: Selection): CallQuery {
  return { labelSelector: labelSelectorOf(selection), fieldSelector: fieldSelectorOf(selection) };
}

/** Joins all conditions on labels into one selector; undefined without any. */
export function labelSelectorOf({ labels, hasLabels, labelSelector }: Selection): string | undefined {
  return joined([
    ...Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(hasLabels ?? []),
    labelSelector ?? "",
  ]);
}

/** Joins all conditions on fields into one selector; undefined without any. */
export function fieldSelectorOf({ fields, fieldSelector }: Selection): string | undefined {
  return joined([
    ...Object.entries(fields ?? {}).map(([path, value]) => `${path}=${escapeFieldValue(value)}`),
    fieldSelector ?? "",
  ]);
}

function joined(conditions: readonly string[]): string | undefined {
  const selector = conditions.filter((condition) => condition !== "").join(",");
  return selector === "" ? undefined : selector;
}

function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/gu, String.raw`\$&`);
}

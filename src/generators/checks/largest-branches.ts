/** A branch of a schema and what it takes as JSON. */
export interface SchemaBranch {
  /** The version and the path as users read it, such as `v1 spec.template.spec`. */
  readonly path: string;
  readonly bytes: number;
}

interface Branch extends SchemaBranch {
  readonly schema: Schema;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

interface Definition {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: Schema } }[];
  };
}

const SHOWN = 5;

/** Returns the branches that make a CRD large, the largest first, and the bytes of all descriptions together. */
export function largestBranches(definition: unknown): {
  readonly branches: readonly SchemaBranch[];
  readonly descriptions: number;
} {
  const { versions } = (definition as Definition).spec;
  let branches: readonly Branch[] = versions.map(({ name, schema }) => branchOf(name, schema?.openAPIV3Schema ?? {}));
  const total = branches.reduce((sum, each) => sum + each.bytes, 0);
  // A branch says more than what it lies in: the largest is opened as long as what it holds is still worth a line.
  for (let opened = 0; opened < MOST_OPENED; opened += 1) {
    const next = branches.find((each) => childrenOf(each).some((child) => child.bytes > total / LEAST_SHARE));
    if (next === undefined) break;
    const inner = childrenOf(next).filter((child) => child.bytes > total / LEAST_SHARE);
    branches = [...branches.filter((each) => each !== next), ...inner].toSorted(
      (left, right) => right.bytes - left.bytes,
    );
  }
  return {
    branches: branches.slice(0, SHOWN).map(({ path, bytes }) => ({ path, bytes })),
    descriptions: versions.reduce((sum, { schema }) => sum + descriptionBytes(schema?.openAPIV3Schema), 0),
  };
}

const MOST_OPENED = 50;
const LEAST_SHARE = 8;

function branchOf(path: string, schema: Schema): Branch {
  return { path, schema, bytes: Buffer.byteLength(JSON.stringify(schema)) };
}

function childrenOf({ path, schema }: Branch): readonly Branch[] {
  const { properties = {}, items, additionalProperties } = schema;
  const separator = path.includes(" ") ? "." : " ";
  return [
    ...Object.entries(properties).map(([name, child]) => branchOf(`${path}${separator}${name}`, child)),
    ...(items === undefined ? [] : [branchOf(`${path}[]`, items)]),
    ...(typeof additionalProperties === "object" ? [branchOf(`${path}[*]`, additionalProperties)] : []),
  ];
}

function descriptionBytes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + descriptionBytes(each), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) =>
      sum + (key === "description" && typeof each === "string" ? entryBytes(each) : descriptionBytes(each)),
    0,
  );
}

function entryBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify({ description: text })) - 1;
}

import { isRecord } from "@kubescaffold/platform";

import { TYPE_META_PROPERTIES } from "../crd/model/known-schemas.ts";
import { quotedText } from "../typescript/literals.ts";
import { commentLines, isReadable } from "./comment-block.ts";
import type { CrdFacts, CrdVersionFacts } from "./crd-facts.ts";
import { ImportList } from "./import-list.ts";
import { kindMarkers } from "./kind-markers.ts";
import { canonicalJson, normalSchema, type Schema } from "./normal-form.ts";
import { without } from "./plain-type.ts";
import { TypeNames } from "./type-names.ts";
import { type OverrideUse, structKeywords, TypeWriter } from "./type-writer.ts";
import type { WellKnownTypes } from "./well-known-types.ts";

/** One version of a kind, and what its file is written with. */
export interface KindFileOptions {
  readonly crd: CrdFacts;
  readonly version: CrdVersionFacts;
  readonly wellKnown: WellKnownTypes;
  /** The comment at the top, with an empty line behind it; empty for none. */
  readonly header: string;
  /** The names of types that are taken in the folder; those of the file are added. */
  readonly taken: Set<string>;
}

/** The text of a file and the keywords that only the raw marker can say. */
export interface KindFile {
  readonly content: string;
  readonly overrides: readonly OverrideUse[];
}

/** Writes the types of one version of a kind. */
export function writeKindFile({ crd, version, wellKnown, header, taken }: KindFileOptions): KindFile {
  const { kind } = crd;
  const overrides: OverrideUse[] = [];
  const imports = new ImportList(kind);
  const onOverride = (use: OverrideUse): void => void overrides.push(use);
  const writer = new TypeWriter({ imports, names: new TypeNames(kind, taken), wellKnown, onOverride });
  const root = rootLines({ crd, version, writer, imports });
  const others = writer.declarations();
  const groupVersion = imports.use("./groupversion_info.ts", "GroupVersion", { isValue: true });
  const define = imports.use("@kubescaffold/k8s", "defineKind", { isValue: true });
  const kindOf = imports.use("@kubescaffold/k8s", "Kind");
  const value = `export const ${kind}: ${kindOf}<${kind}> = ${define}<${kind}>(${groupVersion}, ${quotedText(kind)});`;
  const code = [...others, root, [value]];
  const lines = code.map((each) => each.join("\n")).join("\n\n");
  const uncommented = code.flat().filter((line) => !/^\s*(?:\/\*\*|\*)/u.test(line));
  return { content: `${header}${imports.lines(uncommented.join("\n")).join("\n")}\n\n${lines}\n`, overrides };
}

interface RootOptions {
  readonly crd: CrdFacts;
  readonly version: CrdVersionFacts;
  readonly writer: TypeWriter;
  readonly imports: ImportList;
}

const META = "@kubescaffold/k8s/meta/v1";

// What the generator makes of the three properties that every kind has.
const GIVEN: Readonly<Record<string, Schema>> = {
  apiVersion: normalSchema(TYPE_META_PROPERTIES.apiVersion),
  kind: normalSchema(TYPE_META_PROPERTIES.kind),
  metadata: { type: "object" },
};

function rootLines({ crd, version, writer, imports }: RootOptions): readonly string[] {
  const { schema } = version;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const own = without(properties, ...Object.keys(GIVEN));
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const given = givenProperties(properties, { required, imports });
  const body = writer.properties({ properties: own, required }, []);
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  const markers = [
    ...kindMarkers(crd, version),
    ...writer.markersFor({
      left: {
        ...without(structKeywords({ ...schema, properties: own, required }), "description", "required"),
        ...(schema["type"] === "object" ? {} : { type: schema["type"] ?? null }),
        ...(required.every((name) => Object.hasOwn(own, name) || given.required.has(name)) ? {} : { required }),
        ...(Object.keys(given.overridden).length === 0 ? {} : { properties: given.overridden }),
      },
      subject: { type: "object", isStruct: true },
      place: "type",
      description,
      path: [],
    }),
  ];
  const extended = imports.use(META, crd.scope === "Namespaced" ? "NamespacedObject" : "KubernetesObject");
  const lines = [...given.lines, ...(given.lines.length > 0 && body.length > 0 ? [""] : []), ...body];
  const head = `export interface ${crd.kind} extends ${extended} {`;
  return [...commentLines(description, markers, ""), ...(lines.length === 0 ? [`${head}}`] : [head, ...lines, "}"])];
}

interface GivenProperties {
  /** Those that need another text, or must be asked for. */
  readonly lines: readonly string[];
  readonly required: ReadonlySet<string>;
  readonly overridden: Readonly<Record<string, unknown>>;
}

function givenProperties(
  properties: Schema,
  { required, imports }: { readonly required: readonly string[]; readonly imports: ImportList },
): GivenProperties {
  const lines: string[] = [];
  const overridden: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(GIVEN)) {
    const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isSame = canonicalJson(wanted) === canonicalJson(given);
    const text = isRecord(wanted) && name !== "metadata" ? textWith(wanted, given) : undefined;
    if (!isSame && text === undefined) overridden[name] = replacement(given, wanted);
    const markers = required.includes(name) ? ["+required"] : [];
    if (markers.length === 0 && (isSame || text === undefined)) continue;
    const type = name === "metadata" ? imports.use(META, "ObjectMeta") : "string";
    const description = isSame ? "" : (text ?? "");
    lines.push(...(lines.length === 0 ? [] : [""]));
    lines.push(...commentLines(description, markers, "  "), `  ${name}: ${type};`);
  }
  const marked = Object.keys(GIVEN).filter((name) => required.includes(name) && overridden[name] !== null);
  return { lines, required: new Set(marked), overridden };
}

// The text of a property that is as it is given but for its text.
function textWith(wanted: Schema, given: Schema): string | undefined {
  const { description } = wanted;
  const isSame = canonicalJson(without(wanted, "description")) === canonicalJson(without(given, "description"));
  return isSame && typeof description === "string" && isReadable(description) ? description : undefined;
}

function replacement(given: Schema, wanted: unknown): unknown {
  if (!isRecord(wanted)) return null;
  const gone = Object.keys(given).filter((key) => !Object.hasOwn(wanted, key));
  const changed = Object.entries(wanted).filter(([key, value]) => canonicalJson(value) !== canonicalJson(given[key]));
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(changed) };
}

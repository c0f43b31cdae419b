import { readFile } from "node:fs/promises";

import {
  type GroupVersionKind,
  type JSONValue,
  parseLosslessJson,
  printLosslessJson,
  checkNumbers,
} from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { printYaml, readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { diffLines } from "@kubescaffold/platform";
import { ConversionRegistry, type SpokeConverter } from "@kubescaffold/runtime";
import { deepEqual, prune, type JsonSchema } from "@kubescaffold/schema";

import { ConversionLossError } from "../failures/errors.ts";
import { randomValue, seededRandom, type Random, type RandomField } from "./random-value.ts";

/** Options of {@link checkRoundTrips}. */
export interface RoundTripOptions<Hub extends KubernetesObject> {
  /** The CustomResourceDefinition, or the path of its file. */
  readonly definition: CustomResourceDefinition | string;
  /** The hub. */
  readonly hub: GroupVersionKind;
  /** The converter of the spoke. */
  readonly converter: SpokeConverter<Hub>;
  /** The number of objects per version. Default: 100. */
  readonly runs?: number;
  /** The seed of the random objects. Default: 1. */
  readonly seed?: number;
  /**
   * Returns the values of fields with additional rules such as a pattern; undefined generates a value from the schema.
   *
   * Example: `({ version, path, random }) => (version === "v1alpha1" && path === "spec.target" ? "db:1" : undefined)`
   */
  readonly values?: (field: VersionedField) => JSONValue | undefined;
}

/** A field of the objects of one version. */
export interface VersionedField extends RandomField {
  /** The version. */
  readonly version: string;
}

/** The result of {@link checkRoundTrips}. */
export interface RoundTrips {
  /** The number of objects that were unchanged after a round trip. */
  readonly checked: number;
}

/**
 * Generates random objects of a hub and a spoke from the schemas of their definition, converts each to the other version and back, and compares.
 *
 * Objects are pruned to the schema of their current version, like on a server.
 * Fails: ConversionLossError with the first object that changed.
 */
export async function checkRoundTrips<Hub extends KubernetesObject>(
  options: RoundTripOptions<Hub>,
): Promise<RoundTrips> {
  const { hub, converter, runs = 100, seed = 1, values = () => undefined } = options;
  const definition = await definitionOf(options.definition);
  const registry = new ConversionRegistry();
  registry.register(hub, [converter]);
  checkNumbers("the check of round trips", { runs, seed }, { runs: "count", seed: "integer" });
  const random = seededRandom(seed);
  const ways = [
    [converter.spoke, hub],
    [hub, converter.spoke],
  ] as const;
  for (const [from, to] of ways) {
    for (let run = 0; run < runs; run += 1) checkOnce({ registry, definition, from, to, random, values });
  }
  return { checked: 2 * runs };
}

async function definitionOf(definition: CustomResourceDefinition | string): Promise<CustomResourceDefinition> {
  if (typeof definition !== "string") return definition;
  const [document] = readYamlDocuments(await readFile(definition, "utf8"), { file: definition });
  return document as CustomResourceDefinition;
}

function checkOnce({
  registry,
  definition,
  from,
  to,
  random,
  values,
}: {
  readonly registry: ConversionRegistry;
  readonly definition: CustomResourceDefinition;
  readonly from: GroupVersionKind;
  readonly to: GroupVersionKind;
  readonly random: Random;
  readonly values: (field: VersionedField) => JSONValue | undefined;
}): void {
  const schema = schemaOf(definition, from.version);
  const make = (field: RandomField): JSONValue | undefined => values({ ...field, version: from.version });
  const fields = randomValue(withoutMetadata(schema), random, make) as object;
  const object: KubernetesObject = {
    ...fields,
    apiVersion: `${from.group}/${from.version}`,
    kind: from.kind,
    metadata: { name: "round-trip", uid: "1", labels: { app: "round-trip" } },
  };
  const there = pruned(registry.convert(object, `${to.group}/${to.version}`), schemaOf(definition, to.version));
  const back = pruned(registry.convert(there, `${from.group}/${from.version}`), schema);
  if (!deepEqual(comparable(back), comparable(object))) {
    throw new ConversionLossError(changes(comparable(object), comparable(back)), there);
  }
}

const SIGNS = { same: " ", added: "+", removed: "-", gap: "…" } as const;

function changes(before: JSONValue, after: JSONValue): readonly string[] {
  return diffLines(printYaml(before), printYaml(after)).map(({ kind, text }) => `${SIGNS[kind]} ${text}`.trimEnd());
}

function schemaOf({ spec }: CustomResourceDefinition, version: string): JsonSchema {
  const found = spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
  return found ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
}

function withoutMetadata(schema: JsonSchema): JsonSchema {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

function pruned(object: KubernetesObject, schema: JsonSchema): KubernetesObject {
  return prune(schema, object as unknown as JSONValue).value as unknown as KubernetesObject;
}

// Values without a field may be stored in annotations, which are not compared.
function comparable(object: KubernetesObject): JSONValue {
  const { annotations: _annotations, ...metadata } = object.metadata;
  return parseLosslessJson(printLosslessJson({ ...object, metadata })) as JSONValue;
}

import type { SchemaNode } from "../crd/model/schema-node.ts";
import type { SourceLocation } from "../loader/type-model.ts";
import { findArgument, placeOfArgument } from "./marker-argument.ts";
import type { SchemaTrail } from "./schema-trail.ts";
import type { SourceIndex, WrittenMarker } from "./source-index.ts";

/** Where a finding stands, and what encloses it. */
export interface FindingPlace {
  readonly location: SourceLocation;
  /** From the kind down to the finding. */
  readonly owners: readonly SourceLocation[];
  /** The marker that the finding is about, where there is one. */
  readonly marker: WrittenMarker | undefined;
}

/** What is looked for at the end of a trail. */
export interface PlaceRequest {
  readonly trail: SchemaTrail;
  /** Stands for nodes that come from no place. */
  readonly fallback: SourceLocation;
  /** The markers that can be meant, by their names without prefix; none for the property or type itself. */
  readonly markers?: readonly string[];
  /** Tells the marker that is meant from others of its name. */
  readonly fits?: (marker: WrittenMarker) => boolean;
  /** The argument of the marker that is meant; its value otherwise. */
  readonly argument?: string;
}

/** Finds the marker, property or type that a node of a schema comes from. */
export function findPlace(
  index: SourceIndex,
  { trail, fallback, markers = [], fits = () => true, argument }: PlaceRequest,
): FindingPlace {
  const origins = trail.nodes.map(originOf).filter((origin) => origin !== undefined);
  const owners = origins.length === 0 ? [fallback] : origins;
  const found = markersBehind(index, owners, trail.hops).filter(({ use }) => markers.includes(shortName(use.name)));
  const marker = found.find(fits) ?? found[0];
  const location = marker === undefined ? closest(index, owners, fallback) : argumentPlace(marker, argument);
  return { location, owners, marker };
}

const PREFIXES = ["kubebuilder:validation:items:", "kubebuilder:validation:", "kubebuilder:", "k8s:"];

/** Returns the name of a marker without the prefix of its family. */
function shortName(name: string): string {
  const prefix = PREFIXES.find((each) => name.startsWith(each));
  return prefix === undefined ? name : name.slice(prefix.length);
}

function argumentPlace({ comment }: WrittenMarker, argument: string | undefined): SourceLocation {
  const hasArgument = argument !== undefined && findArgument(comment.text, argument) !== undefined;
  return placeOfArgument(comment, hasArgument ? argument : undefined);
}

function originOf(node: SchemaNode): SourceLocation | undefined {
  return node.origin;
}

// Markers of a list itself say nothing about its items, unless their names do.
function markersBehind(index: SourceIndex, owners: readonly SourceLocation[], hops: number): readonly WrittenMarker[] {
  const place = owners.map((owner) => index.placeAt(owner)).findLast((each) => each !== undefined);
  if (place === undefined) return [];
  const all = index.markersFor(place);
  const own = new Set(place.markers);
  const isForItems = ({ use }: WrittenMarker): boolean => use.name.includes(":items:");
  if (hops === 0) return all.filter((each) => !isForItems(each));
  return all.filter((each) => isForItems(each) || !own.has(each.use));
}

function closest(index: SourceIndex, owners: readonly SourceLocation[], fallback: SourceLocation): SourceLocation {
  return owners.findLast((owner) => index.placeAt(owner) !== undefined) ?? owners.at(-1) ?? fallback;
}

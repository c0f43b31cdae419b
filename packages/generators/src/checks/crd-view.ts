import type { KubernetesMinor } from "@kubescaffold/k8s";

import type { CheckInput, GeneratedCrd } from "../contract/generator.ts";
import { crdNames } from "../crd/generate-crds.ts";
import { printableCrd, type CrdDraft } from "../crd/model/crd-object.ts";
import type { SchemaNode } from "../crd/model/schema-node.ts";
import { NO_LOCATION, type SourceLocation } from "../loader/type-model.ts";
import { TOOL_VERSION } from "../output/tool-version.ts";
import { CHECK_CODES, type CheckCodeName } from "./check-codes.ts";
import type { FindingPlace } from "./finding-places.ts";
import { type Finding, once } from "./finding.ts";
import { SourceIndex, type WrittenMarker } from "./source-index.ts";

/** What every check of a CRD is given. */
export interface CrdView {
  readonly crd: GeneratedCrd;
  /** The oldest minor version of Kubernetes whose servers must accept the CRD. */
  readonly kubernetesVersion: KubernetesMinor;
  /** Makes the CRD as an object, as it is written. */
  readonly object: () => Readonly<Record<string, unknown>>;
  /** Makes the index of the sources when the first finding asks for it. */
  readonly index: () => SourceIndex;
}

/** One version of a CRD. */
export interface VersionView {
  readonly version: CrdDraft["versions"][number];
  readonly node: SchemaNode;
  readonly location: SourceLocation;
}

/** Makes the views of the CRDs of a run; they share one index. */
export function viewsOf(input: CheckInput): readonly CrdView[] {
  const index = once(() => new SourceIndex(input.model, input.marked));
  const { kubernetesVersion } = input;
  return input.crds.map((crd) => ({ crd, kubernetesVersion, index, object: once(() => objectOf(crd, input)) }));
}

function objectOf({ draft }: GeneratedCrd, { options }: CheckInput): Readonly<Record<string, unknown>> {
  const preserve = options["deprecatedV1beta1CompatibilityPreserveUnknownFields"];
  return printableCrd(draft, {
    annotations: options["omitToolVersion"] === true ? {} : { "kubescaffold.dev/version": TOOL_VERSION },
    preserveUnknownFields: typeof preserve === "boolean" ? preserve : undefined,
  });
}

/** Returns the versions of a CRD with their schemas and the places of their kinds. */
export function versionsOf({ crd }: CrdView): readonly VersionView[] {
  return crd.draft.versions.map((version) => {
    const node = crd.schemas.get(version.name) ?? {};
    return { version, node, location: node.origin ?? NO_LOCATION };
  });
}

/** Returns the location of the kind, that of its storage version when there are several. */
export function kindLocation({ crd }: CrdView): SourceLocation {
  return crdNames(crd).location;
}

/** Finds the markers of a name above the kind, in any version. */
export function kindMarkers(view: CrdView, name: string): readonly WrittenMarker[] {
  return versionsOf(view).flatMap(({ location }) => {
    const place = view.index().placeAt(location);
    return place === undefined
      ? []
      : view
          .index()
          .markersFor(place)
          .filter(({ use }) => use.name === name);
  });
}

/** Makes a finding with the severity that its code has. */
export function findingOf(
  code: CheckCodeName,
  text: Readonly<Record<"message" | "hint", string>>,
  place: Pick<FindingPlace, "location" | "owners">,
): Finding {
  const severity = CHECK_CODES.find((each) => each.code === code)?.severity ?? "error";
  return { code, severity, ...text, location: place.location, owners: place.owners };
}

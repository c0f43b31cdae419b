import { CATALOGUE } from "../../../packages/generators/src/markers/catalogue.ts";
import { parseMarker } from "../../../packages/generators/src/markers/parse-marker.ts";
import { meantName } from "../../../packages/generators/src/markers/read-markers.ts";
import { type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** The parser of markers: it throws nothing, and places of problems are inside of the text. */
export const target: FuzzTarget = {
  name: "marker",
  kind: "text",
  seeds: [
    "+kubebuilder:validation:MaxLength=5",
    '+kubebuilder:validation:XValidation:rule="self.a > 1",message="no \\"a\\"",optionalOldSelf=true',
    "+kubebuilder:rbac:groups=apps;core,resources={deployments,pods},verbs=*,urls=/a",
    '+kubebuilder:default={"a":[1,{b:"c"}],d:`x`}',
    "+kubebuilder:printcolumn:JSONPath=.spec.a[?(@.b=='c')].d,name=A,type=string,priority=1",
    "+kubebuilder:validation:Minimum=-1.5e3 # why",
    "+operator-sdk:csv:anything",
  ],
  dictionary: [
    ...[...CATALOGUE.keys()].map((name) => `+${name}`),
    "=",
    ":=",
    ",",
    ";",
    "{",
    "}",
    '"',
    "`",
    "\\u0041",
    "0x1F",
    "1_0",
    "true",
    "#",
  ],
  run: (text) => {
    const parsed = parseMarker(text, CATALOGUE);
    if (parsed.kind === "unknown") meantName(parsed.name);
    if (parsed.kind !== "problem") return;
    const { offset, length } = parsed.problem;
    requireThat(
      offset >= 0 && length >= 0 && offset + length <= text.length + 1,
      `a place outside of the text: ${String(offset)}, ${String(length)}`,
    );
  },
};

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { stringify } from "yaml";

import { YamlText } from "./text.tsx";

/** A value as YAML. Apart from other texts, since only views that load later need the library. */
export function ValueText({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  const text = useMemo(() => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }), [value]);
  return <YamlText text={text} label={label} />;
}

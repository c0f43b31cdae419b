import {
  duplicateField,
  type FieldError,
  invalidField,
  labelValueErrors,
  qualifiedNameErrors,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { textIn } from "../../../fields.ts";
import { checkedText, eachItem } from "../checks/field-checks.ts";
import { effectErrors } from "../pod/scheduling-errors.ts";

/** Returns what is wrong with the taints of a Node. */
export function taintErrors(taints: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const seen = new Set<string>();
  return eachItem(taints, at, (taint, place) => {
    const [key, value, effect] = [textIn(taint, "key"), textIn(taint, "value"), textIn(taint, "effect")];
    const problems = labelValueErrors(value);
    const isTaken = seen.has(`${effect}/${key}`);
    seen.add(`${effect}/${key}`);
    return [
      ...checkedText(`${place}.key`, key, qualifiedNameErrors),
      ...(problems.length === 0 ? [] : [invalidField(`${place}.value`, value, problems.join(";"))]),
      ...effectErrors(effect, `${place}.effect`),
      ...(isTaken
        ? [{ ...duplicateField(place, printed(taint)), detail: "taints must be unique by key and effect pair" }]
        : []),
    ];
  });
}

// As Go prints its internal struct.
function printed(taint: MutableJsonObject): ReadonlyMap<string, unknown> {
  const texts = ["key", "value", "effect"].map(
    (name) => [name.charAt(0).toUpperCase() + name.slice(1), textIn(taint, name)] as const,
  );
  return new Map<string, unknown>([...texts, ["TimeAdded", taint["timeAdded"] ?? null]]);
}

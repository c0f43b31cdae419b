import {
  formatFieldSelector,
  formatLabelSelector,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubescaffold/k8s";

import { accepted, type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

const FIELDS = new Map([["metadata.name", "a"]]);

/** Selectors of labels and of fields: what is accepted prints as a selector that means the same. */
export const target: FuzzTarget = {
  name: "selectors",
  kind: "text",
  seeds: [
    "app=web,tier in (a, b),!legacy,x notin (y),n>5,m<3,e",
    "metadata.name=a\\,b,spec.x!=c==d",
    "a==b,,c = d",
    "k in (),x/y.z=v",
  ],
  dictionary: [
    " in (",
    " notin (",
    ")",
    "!",
    "=",
    "==",
    "!=",
    ">",
    "<",
    ",",
    "\\,",
    "\\=",
    "\\\\",
    "example.com/a",
    "metadata.name",
  ],
  run: (text) => {
    const labels = accepted(() => parseLabelSelector(text));
    if (labels !== undefined) {
      matchesLabels(labels, { app: "web" });
      const printed = formatLabelSelector(labels);
      requireThat(
        formatLabelSelector(parseLabelSelector(printed)) === printed,
        `another selector of labels: ${printed}`,
      );
    }
    const fields = accepted(() => parseFieldSelector(text));
    if (fields === undefined) return;
    matchesFields(fields, (field) => FIELDS.get(field) ?? "");
    const printed = formatFieldSelector(fields);
    // The order is that of the text, which escapes change.
    const meaning = (requirements: typeof fields): string =>
      requirements
        .map((each) => JSON.stringify(each))
        .toSorted()
        .join("\n");
    requireThat(meaning(parseFieldSelector(printed)) === meaning(fields), `another selector of fields: ${printed}`);
  },
};

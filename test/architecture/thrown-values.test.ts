import { expect, it } from "vitest";

import { isGenerated, listSources, readSource } from "./source-files.ts";

// The bounded function; `platform` and the page of the dashboard have no access to it, and read errors of Node and the browser alone.
const ALLOWED = /^packages\/(?:k8s\/src\/failures|platform|dashboard\/src\/page)\//u;
const TEXT_OF_ERROR = /(\w+) instanceof Error \? \1\.message : (?:String\(|`\$\{)/u;

it("texts of thrown values come from messageOf, which throws nothing", () => {
  const found = listSources().filter(
    (file) => !ALLOWED.test(file) && !isGenerated(file) && TEXT_OF_ERROR.test(readSource(file)),
  );
  expect(found).toEqual([]);
});

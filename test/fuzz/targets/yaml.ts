import { printYamlDocuments, readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { deepEqual } from "@kubescaffold/schema";

import { accepted, type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** The reader of YAML: documents that it accepts can be printed, and are then the same. */
export const target: FuzzTarget = {
  name: "yaml",
  kind: "text",
  seeds: [
    "a: 1\nb: [x, 'y', \"z\\n\"]\n",
    "a: &x {b: ~}\nc: *x\nd:\n  <<: *x\n",
    "--- |\n  text\n...\n---\n- >-\n  folded\n  more\n- 0x1F\n- 1e3\n- .inf\n- 2001-01-01\n",
    "? a\n: b\n? [c]\n: d\n",
    "%YAML 1.2\n---\n!!str 5\n",
    "# comment\nkey: value # end\n'quoted': !!binary aGVsbG8=\n",
  ],
  dictionary: [
    "---",
    "...",
    "- ",
    ": ",
    "? ",
    "&a",
    "*a",
    "<<: ",
    "|",
    ">-",
    "|2+",
    "!!",
    "!<",
    "%YAML",
    "\n  ",
    "\t",
    "# ",
    "'",
    '"',
    "\\x41",
    "\\u0041",
    "~",
    "yes",
    "0o7",
    ".nan",
    "[",
    "]",
    "{",
    "}",
    ",",
  ],
  run: (text) => {
    const documents = accepted(() => readYamlDocuments(text));
    // Upstream prints, and reads, the indentation of a text that is a separate document unlike YAML 1.2.
    if (documents?.some((each) => typeof each === "string") === true) return;
    const printed = documents === undefined ? undefined : accepted(() => printYamlDocuments(documents));
    // Go takes these characters for line breaks, as YAML 1.1 does, and the library that reads here does not.
    if (printed === undefined || /[\u0085\u2028\u2029]/u.test(printed)) return;
    requireThat(deepEqual(readYamlDocuments(printed), documents), `other documents after printing:\n${printed}`);
  },
};

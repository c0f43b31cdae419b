import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import type { GeneratorInput, GeneratorOptions } from "../../src/contract/generator.ts";
import { withoutMemo } from "../../src/contract/memoize-parts.ts";
import { loadTypes } from "../../src/loader/load-types.ts";
import { readMarkers } from "../../src/markers/read-markers.ts";
import { loadStructs } from "../../src/run/load-structs.ts";
import { memoryHost } from "./memory-host.ts";

/** Reads sources below `/project` as a run of the generators does, for the tests of one generator. */
export async function generatorInput(
  files: Readonly<Record<string, string>>,
  options: GeneratorOptions = {},
): Promise<GeneratorInput> {
  const root = "/project";
  const host = memoryHost(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text])));
  const { model } = loadTypes({ host, root, paths: ["./..."] });
  const structSchema = await loadStructs(model);
  const kubernetesVersion = KUBERNETES_MINOR;
  const marked = readMarkers(model);
  return { model, marked, structSchema, kubernetesVersion, host, root, options, header: "", memoize: withoutMemo };
}

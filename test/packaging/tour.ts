import { readSource } from "../architecture/source-files.ts";

/** Returns the commands of docs/start/tour.md, block by block, as a user's shell gets them. */
export function readTour(): readonly string[] {
  const [, tour] = /<!-- tour:begin -->(.*)<!-- tour:end -->/su.exec(readSource("docs/start/tour.md")) ?? [];
  return [...(tour ?? "").matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block = ""]) => block);
}

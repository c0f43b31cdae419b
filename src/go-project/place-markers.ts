import { blockComment, lineComment } from "@kubescaffold/generators/typescript";

/** Puts markers in the place of those that a scaffold wrote; without a place, or without markers, nothing is added. */
export function replaceRbacMarkers(text: string, markers: readonly string[]): string {
  return replaceLines(text, {
    isReplaced: (line) => /^\s*\/\/ \+kubebuilder:rbac:/u.test(line),
    lines: markers.map((marker) => `  // ${lineComment(marker)}`),
  });
}

/** Replaces the scaffolded marker of a type of webhook with given ones; several webhooks may share a handler. */
export function replaceWebhookMarkers(
  text: string,
  markers: { readonly isMutating: boolean; readonly lines: readonly string[] },
): string {
  const type = `mutating=${String(markers.isMutating)}`;
  return replaceLines(text, {
    isReplaced: (line) => line.startsWith(" * +kubebuilder:webhook:") && line.includes(type),
    lines: markers.lines.map((line) => ` * ${blockComment(line)}`),
  });
}

/** Returns a file that holds nothing but markers. */
export function markerFile(options: {
  readonly header: string;
  readonly says: string;
  readonly markers: readonly string[];
}): string {
  const { header, says, markers } = options;
  return [`${header}// ${says}`, "//", ...markers.map((marker) => `// ${lineComment(marker)}`), "export {};", ""].join(
    "\n",
  );
}

function replaceLines(
  text: string,
  { isReplaced, lines }: { readonly isReplaced: (line: string) => boolean; readonly lines: readonly string[] },
): string {
  const all = text.split("\n");
  const first = all.findIndex((line) => isReplaced(line));
  if (first < 0) return text;
  const kept = all.slice(first).filter((line) => !isReplaced(line));
  const rest = lines.length === 0 && kept[0] === "" ? kept.slice(1) : kept;
  return [...all.slice(0, first), ...lines, ...rest].join("\n");
}

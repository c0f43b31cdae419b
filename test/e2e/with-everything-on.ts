const DEFAULT = "config/default/kustomization.yaml";
const PROMETHEUS = "config/prometheus/kustomization.yaml";

/** Switches on in the files of a project what the comments of its kustomizations offer: Prometheus, network policies, certificates for metrics. */
export function withEverythingOn(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const listed = (files[DEFAULT] ?? "").replace(/^#(?=- \.\.\/(?:prometheus|network-policy)$)/gmu, "");
  return {
    ...files,
    [DEFAULT]: withoutSigns(listed),
    [PROMETHEUS]: (files[PROMETHEUS] ?? "").replaceAll(/^#(?=patches| {2})/gmu, ""),
  };
}

// The patch, and the blocks below the two headings.
function withoutSigns(text: string): string {
  let isOn = false;
  return text
    .split("\n")
    .map((line) => {
      if (/^# \[(?:METRICS|PROMETHEUS)-WITH-CERTS\]/u.test(line)) isOn = true;
      else if (!/^#(?:- | {2}|replacements:)/u.test(line)) isOn = false;
      return isOn && /^#(?:- | {2})/u.test(line) ? line.slice(1) : line.replace(/^#replacements:/u, "replacements:");
    })
    .join("\n");
}

// What kubebuilder's users type by habit, and what does it here.
const WAYS: Readonly<Record<string, string>> = {
  "--fetch-deps": "pass --skip-install to leave npm install out",
  "--skip-go-version-check": "leave it out: no version of Go is needed",
  "--manifests": "leave it out: --make generates the manifests too, and --make=false nothing",
  "--component-config": "leave it out: kubebuilder has taken it away, and the manager's flags say the same",
  "--verbose": "leave it out: every file that changes is named anyway",
};

/** Returns what does here what a flag of kubebuilder does there, for flags that are not here. */
export function insteadOfFlag(typed: string): string | undefined {
  return WAYS[typed.split("=")[0] ?? ""];
}

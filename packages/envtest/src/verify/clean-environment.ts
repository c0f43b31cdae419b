// The variables that programs and language runtimes need, and that hold no credentials.
const KEPT = new Set([
  "PATH",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SYSTEMROOT",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "GOROOT",
  "GOMAXPROCS",
  "JAVA_HOME",
  "PYTHONPATH",
  "PYTHONHOME",
  "VIRTUAL_ENV",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
]);

/** Variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables of an operator's process: none with credentials of the user, an empty home folder, so that no kubeconfig and no credentials of a cloud
 * are found there, and the kubeconfig of the cluster.
 */
export function cleanEnvironment(
  own: Variables,
  { home, kubeconfig, env }: { readonly home: string; readonly kubeconfig: string; readonly env: Variables },
): Readonly<Record<string, string>> {
  const kept = Object.entries(own).filter(([name]) => KEPT.has(name.toUpperCase()) || name.startsWith("LC_"));
  const all = {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    KUBECONFIG: kubeconfig,
    // The metadata server of a cloud would give credentials of the machine.
    AWS_EC2_METADATA_DISABLED: "true",
    ...env,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

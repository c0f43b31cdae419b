import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Returns whether an error has a code and describes a failure that the user can act on; any other error is a bug.
 *
 * Packages that the bundle loads from where they are installed have their own copy of the class, so its shape counts too.
 */
export function isExplained(error: unknown): error is ScaffoldError {
  if (error instanceof ScaffoldError) return true;
  return (
    error instanceof Error && "hint" in error && "code" in error && /^[A-Z0-9]+_[A-Z0-9_]+$/u.test(String(error.code))
  );
}

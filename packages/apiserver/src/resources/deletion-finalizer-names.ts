/** Holds an object until its dependents have lost their reference to it. */
export const ORPHAN_FINALIZER = "orphan";

/** Holds an object until its dependents that block it are gone. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";

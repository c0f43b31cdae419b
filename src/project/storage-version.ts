/** Marks the version of a kind that is stored. */
export const STORAGE_VERSION = "+kubebuilder:storageversion";
